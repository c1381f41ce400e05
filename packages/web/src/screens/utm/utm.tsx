export function Utm() {
  return <h1>Utm</h1>
}
