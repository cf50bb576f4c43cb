import { QueryClientProvider } from '@tanstack/react-query'
import { ConfigProvider } from 'antd'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { antdThemeFromTokens } from '../../theme/antd.ts'
import { queryClient } from '../queryClient.ts'
import { useSettings, useTheme } from '../settings/settings.ts'
import { currentLanguage } from '../texts.ts'
import { antdLocale } from './antdLocale.ts'
import { Layout } from './Layout.tsx'
import '../../theme/floating.css'

/** Everything behind the sign-in page; loaded only then, because it brings Ant Design with it. */
export default function Shell() {
  const { i18n } = useTranslation()
  const theme = useTheme((state) => state.theme)
  const { accent, density, colourWeak } = useSettings()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the tokens on the document follow these
  const antd = useMemo(() => antdThemeFromTokens(theme), [theme, accent, density, colourWeak, i18n.language])
  return (
    // The wave that follows a press has the whole page laid out for its place, before what the press does.
    <ConfigProvider
      theme={antd}
      locale={antdLocale(currentLanguage())}
      button={{ autoInsertSpace: false }}
      wave={{ disabled: true }}
    >
      <QueryClientProvider client={queryClient}>
        <Layout />
      </QueryClientProvider>
    </ConfigProvider>
  )
}
