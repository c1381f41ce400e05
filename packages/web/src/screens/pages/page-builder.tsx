export function PageBuilder() {
  return <h1>PageBuilder</h1>
}
