import { once } from 'node:events';
import { networkInterfaces } from 'node:os';
import { connect } from 'node:tls';
import { expect } from '@jest/globals';
import { startServer } from '../../api/hosting/server.ts';
import { readConfig } from '../../api/start/config.ts';
import { testWith } from '../support/test-with.ts';

/** The interface of this machine's own address of IPv6: lo, or lo0. */
const [own] =
  Object.entries(networkInterfaces()).find(([, all]) => all?.some(({ address }) => address === '::1')) ?? [];

testWith(own !== undefined, 'IPv6')(
  'G13: HOST=::1%lo: the certificate has the address without its zone, and no wrong name',
  async () => {
    const flags = ['--port=0', '--tls=1', '--ledger=:memory:', '--log-level=silent'];
    const server = await startServer(readConfig({ HOST: `::1%${own}` }, flags));
    const port = Number(/:(\d+)$/.exec(server.address)?.[1]);
    const socket = connect({ host: '::1', port, rejectUnauthorized: false });
    await once(socket, 'secureConnect');
    const names = socket.getPeerCertificate().subjectaltname;
    socket.destroy();
    await server.stop();
    expect(names).toBe('DNS:localhost, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1');
  },
);
