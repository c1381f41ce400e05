export { CsvFault, readCsv, type CsvRecord } from './csv-reader.ts'
export { toCsv, unguarded } from './csv-writer.ts'
export { exportedLinkColumns, type LinkColumn, linkColumnOf, linkColumns } from './link-columns.ts'
