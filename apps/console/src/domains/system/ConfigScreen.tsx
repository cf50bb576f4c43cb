import { Tabs } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation, useNavigate } from 'react-router'
import { later } from '../../shell/later.tsx'
import { ConfigForm } from './config/ConfigForm.tsx'
import '../../kit/cards.css'
import '../../kit/kit.css'
import './config/config.css'

const DictionaryScreen = later(async () => (await import('./DictionaryScreen.tsx')).DictionaryScreen)

const tabs = ['settings', 'dictionaries'] as const
type Tab = (typeof tabs)[number]

/** Settings and code tables. The settings stay behind the other tab with whatever has been typed into them. */
export default function ConfigScreen() {
  const { t } = useTranslation()
  const { pathname, search } = useLocation()
  const navigate = useNavigate()
  // An address with filters can only be the list's.
  const [tab, setTab] = useState<Tab>(search === '' ? 'settings' : 'dictionaries')
  const open = (next: string) => {
    setTab(next as Tab)
    if (next === 'settings' && search !== '') void navigate(pathname, { replace: true })
  }
  return (
    <div className="config-screen">
      <Tabs
        className="config-tabs"
        activeKey={tab}
        onChange={open}
        items={tabs.map((key) => ({
          key,
          label: <span {...(key === 'dictionaries' ? DictionaryScreen.near : {})}>{t(`config.tab.${key}`)}</span>,
        }))}
      />
      <div hidden={tab !== 'settings'}>
        <ConfigForm />
      </div>
      {tab === 'dictionaries' && <DictionaryScreen />}
    </div>
  )
}
