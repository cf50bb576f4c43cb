import { CheckOutlined, CopyOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'

/** Pages without TLS have no clipboard of their own; the old way still works there. */
export async function copyText(text: string): Promise<void> {
  if (navigator.clipboard !== undefined) return navigator.clipboard.writeText(text)
  const box = document.createElement('textarea')
  box.value = text
  box.className = 'visually-hidden'
  document.body.append(box)
  box.select()
  document.execCommand('copy')
  box.remove()
}

const shownMs = 2_000

/** Copies and says so on itself; `bare` beside what it copies, where its mark is enough. */
export function CopyButton({ text, label, bare = false }: { text: string; label: string; bare?: boolean }) {
  const { t } = useTranslation()
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), shownMs)
    return () => clearTimeout(timer)
  }, [copied])
  return (
    <Button
      {...(bare ? { type: 'text' as const, size: 'small' as const, title: label } : {})}
      icon={copied ? <CheckOutlined /> : <CopyOutlined />}
      onClick={async () => {
        await copyText(text)
        setCopied(true)
      }}
    >
      <span role="status" className={bare ? 'visually-hidden' : undefined}>
        {copied ? t('kit.copied') : label}
      </span>
    </Button>
  )
}
