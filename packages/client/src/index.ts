export { ApiError, isApiError, isPartialSuccess } from './apiError.ts'
export {
  type CallOptions,
  type Client,
  type ClientOptions,
  createClient,
  type Download,
  type Method,
} from './client.ts'
export {
  type BulkAnswer,
  type Calls,
  createCalls,
  type ExportAnswer,
  type ExportRequest,
  type ImportCheck,
  type ImportProgress,
  type RowPage,
} from './resources.ts'
