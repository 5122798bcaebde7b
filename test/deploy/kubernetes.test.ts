import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { settingsFrom } from '../../src/config.ts';
import { typeErrors } from './typed-literal.ts';

interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string };
}

interface Deployment extends Manifest {
  spec: {
    selector: { matchLabels: object };
    template: { metadata: { labels: object; annotations: object }; spec: Pod };
  };
}

interface Pod {
  terminationGracePeriodSeconds: number;
  containers: [Container];
  volumes: { name: string; configMap?: { name: string }; emptyDir?: { sizeLimit: string } }[];
}

interface Container {
  ports: { name: string; containerPort: number }[];
  env: { name: string; value?: string }[];
  resources: { limits: { memory: string } };
  readinessProbe: { periodSeconds: number; failureThreshold: number; timeoutSeconds: number };
  volumeMounts: { name: string; mountPath: string; subPath?: string }[];
}

const folder = new URL('../../deploy/kubernetes/', import.meta.url);
const manifests: Manifest[] = readdirSync(folder).flatMap((name) =>
  parseAllDocuments(readFileSync(new URL(name, folder), 'utf8')).map((document) => document.toJS()),
);
const { selector, template } = (manifests.find(({ kind }) => kind === 'Deployment') as Deployment).spec;
const { containers, volumes, terminationGracePeriodSeconds } = template.spec;
const [{ env, ports, readinessProbe, resources, volumeMounts }] = containers;
const configMap = manifests.find(({ kind }) => kind === 'ConfigMap') as Manifest & { data: Record<string, string> };

/** A gateway reads the manifests as its settings. The platform fills in what has no value here. */
function readSettings() {
  const filled: Record<string, string> = {
    REDIS_URL: 'redis://redis:6379',
    MEMORY_LIMIT: `${resources.limits.memory}B`,
  };
  const environment = Object.fromEntries(env.map(({ name, value }) => [name, value ?? filled[name] ?? '']));
  return settingsFrom({ environment, file: parse(configMap.data['gateway.yaml']!), needsService: true }).config;
}

test('the grace period covers the delay, the requests in flight and a write', () => {
  const { shutdown, upstream } = readSettings();
  const longestMs = shutdown.delayMs + shutdown.timeoutMs + upstream.timeouts.writeMs;

  expect(terminationGracePeriodSeconds * 1000).toBeGreaterThan(longestMs);
});

test('a stopping gateway takes requests until its readiness probe has failed', () => {
  const { periodSeconds, failureThreshold, timeoutSeconds } = readinessProbe;

  expect(readSettings().shutdown.delayMs).toBeGreaterThan((periodSeconds * failureThreshold + timeoutSeconds) * 1000);
});

test('the ports, the memory and the folders are those of the settings', () => {
  const { server, limits, graphql } = readSettings();

  expect(Object.fromEntries(ports.map(({ name, containerPort }) => [name, containerPort]))).toEqual({
    http: server.port,
    admin: server.adminPort,
  });
  expect(template.metadata.annotations).toMatchObject({ 'prometheus.io/port': String(server.adminPort) });
  const { emptyDir } = volumes.find(({ name }) => name === 'temporary')!;
  expect(Number.parseInt(emptyDir!.sizeLimit, 10) * 2 ** 30).toBeGreaterThan(limits.uploads.spooledBytes);
  const mounted = volumeMounts.map(({ mountPath }) => mountPath);
  expect(graphql.trustedDocuments.files).toEqual(['/etc/gateway-documents']);
  expect(mounted).toEqual(expect.arrayContaining(['/etc/gateway', '/etc/gateway-documents', '/tmp']));
});

test('a new version of the manifests reaches a gateway that runs', () => {
  expect(volumeMounts.map(({ subPath }) => subPath).filter(Boolean)).toEqual([]);
});

test('the manifests name each other', () => {
  const labels = template.metadata.labels;
  const chosen = manifests.map(
    (manifest) => (manifest as { spec?: Record<string, { matchLabels?: object }> }).spec ?? {},
  );
  const selectors = chosen.flatMap(({ selector: of, podSelector }) => [of, podSelector]).filter(Boolean);

  expect(selector.matchLabels).toEqual(labels);
  expect(selectors.map((of) => of?.matchLabels ?? of)).toEqual(selectors.map(() => labels));
  expect(volumes.flatMap(({ configMap: of }) => of?.name ?? [])).toEqual([
    configMap.metadata.name,
    'gateway-documents',
  ]);
  expect(volumes.map(({ name }) => name).sort()).toEqual(volumeMounts.map(({ name }) => name).sort());
});

test('the pod has no rights that the gateway does not need', () => {
  expect(template.spec).toMatchObject({
    automountServiceAccountToken: false,
    securityContext: { runAsNonRoot: true, runAsUser: 1000, seccompProfile: { type: 'RuntimeDefault' } },
    containers: [
      {
        securityContext: {
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        },
      },
    ],
  });
});

const hasTypes = existsSync(new URL('node_modules/kubernetes-models', import.meta.url));
if (!hasTypes) console.warn('The manifests are not held to the types of Kubernetes: run npm ci in test/deploy.');

test.skipIf(!hasTypes)('the manifests fit the types of Kubernetes, without a key that it does not know', () => {
  const kinds = [...new Set(manifests.map(({ apiVersion, kind }) => `${apiVersion}/${kind}`))];
  const imports = kinds.map((path, at) => {
    const kind = path.replace(/.*\//, '');
    return `import type { I${kind} as Kind${at} } from './node_modules/kubernetes-models/${path}.js';`;
  });
  const literals = manifests.map((value) => ({
    type: `Kind${kinds.indexOf(`${value.apiVersion}/${value.kind}`)}`,
    value,
  }));
  const wrong = { type: 'Kind0', value: { ...literals[0]!.value, specs: {} } };

  expect(typeErrors(imports.join('\n'), [...literals, wrong])).toEqual([expect.stringContaining('specs')]);
});
