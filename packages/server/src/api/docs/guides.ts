/** A guide: a file of `docs/`, how lists name it, and what it is about in one line. */
export interface Guide {
  readonly name: string
  readonly label: string
  readonly about: string
}

/** The guides by group, in the order in which they are read. Each is `docs/<name>.md`. */
export const GUIDES: Readonly<Record<string, readonly Guide[]>> = {
  Start: [
    {
      name: 'quickstart',
      label: 'Quick start',
      about: 'From nothing to a signed QR code with a logo, in curl, TypeScript and Python',
    },
    {
      name: 'api',
      label: 'API overview',
      about: 'What all operations have in common: keys, requests, responses, edits',
    },
    {
      name: 'signing',
      label: 'Signing requests',
      about: 'How a request is signed, with recipes in five languages and test vectors',
    },
  ],
  'API basics': [
    { name: 'errors', label: 'Errors', about: 'Every status with its meaning, and what to retry' },
    { name: 'pagination', label: 'Pagination', about: 'Pages, cursors, searching, sorting and filtering' },
    { name: 'idempotency', label: 'Idempotency', about: 'Repeat a write safely' },
    { name: 'rate-limits', label: 'Rate limits', about: 'Requests per minute, and what to do beyond them' },
    { name: 'webhooks', label: 'Webhooks', about: 'Signed deliveries of every change' },
  ],
  Features: [
    {
      name: 'rules',
      label: 'Rules and variants',
      about: 'Send visitors by country, language, device or time; variants; history',
    },
    { name: 'analytics', label: 'Analytics', about: 'Clicks by time, country, referrer, device, campaign' },
    {
      name: 'importing',
      label: 'Importing and exporting',
      about: 'Move links in from other services, and out again',
    },
    { name: 'bulk-edits', label: 'Bulk edits', about: 'Change all links of a filter, and undo that' },
    { name: 'domains', label: 'Custom domains', about: 'Your own host names, with HTTPS' },
    { name: 'pages', label: 'Pages', about: 'How landing pages are stored, edited and served' },
    { name: 'trash', label: 'Trash', about: 'Removed resources can be restored for 30 days' },
    { name: 'plans', label: 'Plans', about: 'Quotas and prices' },
  ],
  Clients: [
    {
      name: 'sdk',
      label: 'TypeScript SDK',
      about: 'The TypeScript client: errors, retries, uploads, lists, webhooks',
    },
    {
      name: 'cli',
      label: 'Command line',
      about: 'Links, codes, imports and exports from a terminal or a script',
    },
    {
      name: 'mcp',
      label: 'Tools for assistants',
      about: 'The operations as tools of the Model Context Protocol',
    },
  ],
  Operating: [
    {
      name: 'installing',
      label: 'Installing',
      about: 'Clone, release file, image, systemd, Kubernetes, and what they need',
    },
    {
      name: 'configuration',
      label: 'Configuration',
      about: 'Every environment variable, and how it is checked',
    },
    { name: 'proxy', label: 'Behind a proxy', about: 'What a reverse proxy must do, with examples' },
    { name: 'operations', label: 'Operations', about: 'Failures, monitoring, capacity, several machines' },
    { name: 'backups', label: 'Backups', about: 'Backing up and restoring, with SQLite and PostgreSQL' },
    { name: 'upgrading', label: 'Upgrading', about: 'To a new version, and back' },
    { name: 'troubleshooting', label: 'Troubleshooting', about: 'Symptoms, causes and fixes' },
    { name: 'scale', label: 'Scale', about: 'What a billion redirects a day would need' },
    { name: 'abuse', label: 'Abuse', about: 'Block links, hosts and accounts' },
    {
      name: 'comparison',
      label: 'Comparison',
      about: 'What Dub, Bitly and Linktree have that Waymark lacks',
    },
    { name: 'glossary', label: 'Glossary', about: 'Terms of our own' },
  ],
}
