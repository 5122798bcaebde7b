/** True for HTML, SVG and other XML. A browser would run such a file as a page of its server. */
export function isRunByBrowsers(mediaType: string): boolean {
  return /[/+](?:html|xml)\s*(?:;|$)/i.test(mediaType);
}
