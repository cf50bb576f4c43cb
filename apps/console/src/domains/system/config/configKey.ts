export const configKey = ['config'] as const
