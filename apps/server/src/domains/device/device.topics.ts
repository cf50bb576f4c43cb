import { z } from 'zod'
import { defineTopic } from '../../platform/topic.ts'

/**
 * Devices stand in another department now, by a person's hand. Those in `arrived` came from another enterprise: they have
 * no past here and no number they were known by, so they are told by their serial numbers.
 */
export const deviceTransferred = defineTopic(
  'device.transferred',
  z.object({ departmentId: z.number(), sns: z.array(z.string()), arrived: z.array(z.string()), userId: z.number() }),
)
