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
  'tokens',
] as const

/** What an edit leaves out when a whole resource is sent back, and what it always needs. */
export const editFacts = {
  updatePersonalInfo: { readOnly: ['email'], files: ['image'], required: [] },
  editBarcode: {
    readOnly: [
      'encodes',
      'short_url',
      'image_url',
      'svg_url',
      'scans',
      'warnings',
      'grade',
      'created_at',
      'updated_at',
    ],
    files: [],
    required: [],
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
    required: [],
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
    required: ['link'],
  },
  editQr: {
    readOnly: [
      'encodes',
      'short_url',
      'image_url',
      'svg_url',
      'scans',
      'warnings',
      'grade',
      'created_at',
      'updated_at',
    ],
    files: ['logo'],
    required: [],
  },
  editUtm: {
    readOnly: ['utm_url', 'short_url', 'clicks', 'warnings', 'created_at', 'updated_at'],
    files: [],
    required: ['url', 'source', 'medium', 'campaign', 'content'],
  },
  editBrandKit: { readOnly: [], files: ['logo'], required: [] },
  editDomain: {
    readOnly: ['verified', 'shared', 'txt_name', 'txt_value', 'records', 'created_at', 'updated_at'],
    files: ['logo'],
    required: ['name'],
  },
  editWebhook: {
    readOnly: ['disabled_reason', 'failing_since', 'previous_secret_expires_at', 'created_at', 'updated_at'],
    files: [],
    required: [],
  },
  editMember: { readOnly: ['email', 'first_name', 'last_name', 'created_at'], files: [], required: ['role'] },
} as const
