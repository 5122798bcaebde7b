/**
 * Reads each request and answers with the head and the body that our gateway sends for `small`, without a look at it:
 * the price of HTTP.
 */
import http from 'node:http';

const { headers, body } = JSON.parse(process.env.ANSWER);

const server = http.createServer((request, response) => {
  request.on('data', () => {}).on('end', () => response.writeHead(200, headers).end(body, 'latin1'));
});
server.listen(Number(process.env.PORT), '127.0.0.1');
