export { ApiError, isApiError, isPartialSuccess } from './apiError.ts'
export {
  type CallOptions,
  type Client,
  type ClientOptions,
  createClient,
  type Download,
  type Method,
} from './client.ts'
