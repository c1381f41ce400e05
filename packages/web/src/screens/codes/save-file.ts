import { inWorkspace } from '../../api/chosen-workspace.ts'

/** Hands a file to the browser's downloads. */
export function saveFile(name: string, content: Blob): void {
  const address = URL.createObjectURL(content)
  const anchor = document.createElement('a')
  anchor.href = address
  anchor.download = name
  anchor.click()
  setTimeout(() => URL.revokeObjectURL(address), 10_000)
}

/** Lets the browser fetch a file of the API by itself, straight to the disk: no script has to hold it. */
export function openDownload(address: string): void {
  const anchor = document.createElement('a')
  anchor.href = inWorkspace(address)
  anchor.download = ''
  anchor.click()
}
