export { CsvFault, csvStart, readCsv, type CsvRecord } from './csv-reader.ts'
export { toCsv, unguarded } from './csv-writer.ts'
