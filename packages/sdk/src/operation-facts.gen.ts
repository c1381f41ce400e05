// Generated from the contract by `npm run generate`; do not edit.

/** The operations that return pages of a list. */
export const listNames = [
  'barcodes',
  'pages',
  'links',
  'qrcodes',
  'utmLinks',
  'linkHistory',
  'bulkEdits',
  'imports',
  'trash',
  'invoices',
  'keys',
] as const

/** What an edit leaves out when a whole resource is sent back. */
export const editFacts = {
  updatePersonalInfo: { readOnly: ['email'], files: ['image'] },
  editBarcode: {
    readOnly: [
      'encodes',
      'short_url',
      'image_url',
      'svg_url',
      'scans',
      'warnings',
      'created_at',
      'updated_at',
    ],
    files: [],
  },
  editPage: {
    readOnly: [
      'unpublished',
      'conflicts',
      'page_url',
      'short_link',
      'qr_code',
      'views',
      'created_at',
      'updated_at',
    ],
    files: ['logo'],
  },
  editLinks: {
    readOnly: [
      'code',
      'short_url',
      'has_password',
      'clicks',
      'imported_clicks',
      'last_click_at',
      'blocked',
      'owner',
      'created_at',
      'updated_at',
    ],
    files: [],
  },
  editQr: {
    readOnly: [
      'encodes',
      'short_url',
      'image_url',
      'svg_url',
      'scans',
      'warnings',
      'created_at',
      'updated_at',
    ],
    files: ['logo'],
  },
  editUtm: {
    readOnly: ['utm_url', 'short_url', 'clicks', 'warnings', 'created_at', 'updated_at'],
    files: [],
  },
  editBrandKit: { readOnly: [], files: ['logo'] },
  editDomain: {
    readOnly: ['verified', 'shared', 'txt_name', 'txt_value', 'records', 'created_at', 'updated_at'],
    files: ['logo'],
  },
  editWebhook: {
    readOnly: ['disabled_reason', 'failing_since', 'previous_secret_expires_at', 'created_at', 'updated_at'],
    files: [],
  },
} as const
