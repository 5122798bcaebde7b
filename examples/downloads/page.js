import { download } from './download.js';

const query = `query Sales($after: String) {
  productTransactions(after: $after) { results { id date amount source { ... on Farmer { name } } } }
}`;

const form = document.forms[0];
const { stop } = form.elements;
const progress = document.querySelector('progress');
const output = document.querySelector('output');

form.addEventListener('submit', async (event) => {
  event.preventDefault();
  const leaving = new AbortController();
  stop.onclick = () => leaving.abort();
  stop.disabled = false;
  const { url, key } = Object.fromEntries(new FormData(form));
  try {
    const headers = { authorization: key };
    for await (const { rows, total, lines } of download(url, { query, headers, signal: leaving.signal })) {
      progress.max = total || 1;
      progress.value = rows;
      output.textContent = lines ? `All ${rows} rows` : `${rows} of ${total} rows`;
      if (lines) save(lines, 'Sales.jsonl');
    }
  } catch (error) {
    output.textContent = leaving.signal.aborted ? 'Stopped' : error.message;
  } finally {
    stop.disabled = true;
  }
});

function save(lines, name) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob(lines.map((line) => `${line}\n`)));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
