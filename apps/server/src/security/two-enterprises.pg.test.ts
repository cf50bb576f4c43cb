import { walkTwoEnterprises } from './two-enterprises.ts'

walkTwoEnterprises()
