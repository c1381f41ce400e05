/** Small enough to stand in the page; its hash is what the content security policy allows. */
export const docsStyle = `
:root{color-scheme:light dark;--bg:#fff;--ink:#16202a;--soft:#5a6673;--line:#e2e7ec;--panel:#f6f8fa;--accent:#0b6e5f;--get:#0b6e5f;--post:#8a4b08}
@media (prefers-color-scheme:dark){:root{--bg:#10161c;--ink:#e6edf3;--soft:#9aa7b4;--line:#2a343f;--panel:#18212a;--accent:#5fd3bf;--get:#5fd3bf;--post:#f0b26b}}
*{box-sizing:border-box}
body{margin:0;background:var(--bg);color:var(--ink);font:16px/1.6 system-ui,sans-serif;display:grid;grid-template-columns:17rem minmax(0,1fr)}
nav{position:sticky;top:0;height:100vh;overflow:auto;padding:1.5rem;border-right:1px solid var(--line);font-size:.875rem}
nav ul{list-style:none;padding:0;margin:.25rem 0 .75rem}
nav li li a{display:block;padding:.125rem 0;color:var(--soft);text-decoration:none}
nav a:hover,nav a:focus-visible{color:var(--accent);text-decoration:underline}
.home{font-weight:700;font-size:1.125rem;color:var(--ink);text-decoration:none}
main{padding:2rem clamp(1rem,4vw,4rem);max-width:70rem}
a{color:var(--accent)}
h1{margin-top:0;font-size:2rem;letter-spacing:-.02em}
h2{margin-top:3rem;padding-bottom:.25rem;border-bottom:1px solid var(--line)}
h3{margin:2.5rem 0 .25rem;font-size:1.0625rem;overflow-wrap:anywhere}
h4{margin:1rem 0 .25rem;font-size:.875rem;color:var(--soft)}
code,pre{font-family:ui-monospace,monospace;font-size:.875em}
pre{background:var(--panel);border:1px solid var(--line);border-radius:8px;padding:1rem;overflow:auto}
.method{display:inline-block;min-width:3.25rem;font:700 .75rem ui-monospace,monospace}
.get{color:var(--get)}.post{color:var(--post)}
.auth,.type{color:var(--soft);font-size:.875rem}
.scroll{overflow-x:auto}
table{border-collapse:collapse;width:100%;font-size:.875rem}
th,td{text-align:left;vertical-align:top;padding:.375rem .75rem .375rem 0;border-bottom:1px solid var(--line);font-weight:400}
thead th{color:var(--soft)}
em{color:var(--post);font-style:normal;font-size:.75rem}
details{margin:.75rem 0}summary{cursor:pointer;color:var(--soft);font-size:.875rem}
article:target{outline:2px solid var(--accent);outline-offset:.75rem;border-radius:4px}
@media (max-width:50rem){body{display:block}nav{position:static;height:auto;max-height:16rem;border-right:0;border-bottom:1px solid var(--line)}}
`
