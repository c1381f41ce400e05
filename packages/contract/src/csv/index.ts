export { checkFirstRow, CsvFault, csvStart, MOST_COLUMNS, readCsv, type CsvRecord } from './csv-reader.ts'
export { type CsvColumn, toCsv, unguarded } from './csv-writer.ts'
