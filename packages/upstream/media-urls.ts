/**
 * Makes the URL of a file absolute, and equal wherever the service names the file. Some answers have a path below the host,
 * others a URL with the host by which the gateway called. Both begin with `publicUrl` then, by default the origin of
 * `serviceUrl`. URLs of other hosts, and texts that are no URL, stay as they are.
 */
export function mediaUrls(serviceUrl: string, publicUrl?: string): (url: string) => string {
  const { host, origin } = new URL(serviceUrl);
  const base = (publicUrl ?? origin).replace(/\/+$/, '');
  const ownHosts = [`http://${host}/`, `https://${host}/`, `//${host}/`];
  return (url) => {
    const own = ownHosts.find((start) => url.startsWith(start));
    if (own) return base + url.slice(own.length - 1);
    return url.startsWith('/') && !url.startsWith('//') ? base + url : url;
  };
}
