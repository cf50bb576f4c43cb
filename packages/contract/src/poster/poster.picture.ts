/** What a poster may weigh (behaviour: values.poster). */
export const posterMaxBytes = 500 * 1024

/** The pictures devices have a place for, by width and height: a whole screen, or a strip of it. */
export const posterSizes = { portrait: [480, 800], banner: [480, 280] } as const
export type PosterImageType = keyof typeof posterSizes
export const posterImageTypes = Object.keys(posterSizes) as [PosterImageType, ...PosterImageType[]]

/** Nothing where a picture has neither of the two sizes. */
export const posterImageType = (width: number, height: number): PosterImageType | undefined =>
  posterImageTypes.find((type) => posterSizes[type][0] === width && posterSizes[type][1] === height)
