export * from './signing.ts'
export * from './sites.ts'
export * from './table.ts'
export * from './uploads.ts'
