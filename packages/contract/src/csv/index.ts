export { CsvFault, csvStart, readCsv, type CsvRecord } from './csv-reader.ts'
export { type CsvColumn, toCsv, unguarded } from './csv-writer.ts'
