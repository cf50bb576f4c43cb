import { theme as antdTheme, type ThemeConfig } from 'antd'

/** Reads the tokens as they stand on the document, so that colours are written once, in CSS. */
function tokenReader(): (name: string) => string {
  const style = getComputedStyle(document.documentElement)
  return (name) => style.getPropertyValue(`--${name}`).trim()
}

const pixels = (value: string) => Number.parseInt(value, 10)

/** Ant Design's theme for the document's present theme, accent and density. */
export function antdThemeFromTokens(scheme: 'light' | 'dark'): ThemeConfig {
  const css = tokenReader()
  const colours = {
    colorPrimary: css('accent'),
    colorPrimaryBg: css('accent-soft'),
    colorPrimaryBgHover: css('accent-soft'),
    colorLink: css('accent'),
    colorInfo: css('accent'),
    colorSuccess: css('good'),
    colorSuccessBg: css('good-soft'),
    colorWarning: css('warning'),
    colorWarningBg: css('warning-soft'),
    colorError: css('bad'),
    colorErrorBg: css('bad-soft'),
    colorText: css('ink'),
    colorTextSecondary: css('ink-2'),
    colorTextTertiary: css('ink-2'),
    colorTextQuaternary: css('ink-3'),
    colorTextPlaceholder: css('placeholder'),
    colorTextDescription: css('ink-2'),
    colorTextLightSolid: css('on-accent'),
    colorBgLayout: css('page'),
    colorBgContainer: css('surface'),
    colorBgElevated: css('surface'),
    colorBgMask: css('shade'),
    colorBorder: css('line-strong'),
    colorBorderSecondary: css('line'),
    colorSplit: css('line'),
    colorFillAlter: css('sunken'),
    colorFillQuaternary: css('sunken'),
    colorFillTertiary: css('off-soft'),
    boxShadow: css('float'),
    boxShadowSecondary: css('float'),
  }
  const row = pixels(css('row'))
  const base = scheme === 'dark' ? antdTheme.darkAlgorithm : antdTheme.defaultAlgorithm
  return {
    // The last word is ours: the algorithms would shift the exact colours of the tokens.
    algorithm: [base, (seed, map) => ({ ...(map ?? base(seed)), ...colours })],
    token: {
      ...colours,
      fontFamily: css('font'),
      fontFamilyCode: css('mono'),
      fontSize: 13,
      lineHeight: 20 / 13,
      controlHeight: pixels(css('control')),
      borderRadius: pixels(css('radius-control')),
      borderRadiusLG: pixels(css('radius-card')),
      borderRadiusSM: pixels(css('radius-tag')),
      wireframe: false,
      // Its motion forgets what it wraps when a tab goes to the background: a half-filled form in a drawer would be
      // emptied. What should be seen to move is animated in floating.css instead.
      motion: false,
    },
    components: {
      Button: { primaryShadow: 'none', defaultShadow: 'none', dangerShadow: 'none', fontWeight: 500 },
      Table: {
        headerBg: css('surface'),
        headerColor: css('ink-2'),
        headerSplitColor: 'transparent',
        rowSelectedBg: css('accent-soft'),
        rowSelectedHoverBg: css('accent-soft'),
        rowHoverBg: css('sunken'),
        borderColor: css('line'),
        cellPaddingBlock: (row - 20) / 2,
        cellPaddingInline: 12,
      },
      Card: { headerFontSize: 13.5, headerHeight: 44, bodyPadding: 16 },
      Tooltip: { colorBgSpotlight: css('ink'), colorTextLightSolid: css('surface') },
      Drawer: { footerPaddingBlock: 12, footerPaddingInline: 20 },
      Form: { verticalLabelPadding: '0 0 6px', labelColor: css('ink'), itemMarginBottom: 18 },
      Tag: { defaultBg: css('off-soft') },
      // A box to tick is seen by its edge alone (WCAG 1.4.11), unlike a field with its label above.
      Checkbox: { colorBorder: css('off') },
      Radio: { colorBorder: css('off') },
      Tree: {
        colorBorder: css('off'),
        nodeHoverBg: css('sunken'),
        nodeSelectedBg: css('accent-soft'),
        titleHeight: 28,
      },
      // 24 pixels are the least a finger or an unsteady hand can hit (WCAG 2.5.8).
      Switch: { trackHeight: 24, handleSize: 20, trackMinWidth: 44 },
      Menu: { itemHeight: 32, itemBorderRadius: 7 },
    },
  }
}
