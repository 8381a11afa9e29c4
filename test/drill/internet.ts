/**
 * Loaded into each process of a function of the emulator, before its bundle. It stands where the internet would be:
 * every HTTPS connection leads to one server of the drill, which tells providers and receivers apart by their names.
 * Nothing of the bundle is changed.
 */
import { Resolver } from 'node:dns/promises';
import https from 'node:https';
import net from 'node:net';

const port = Number(new URL(import.meta.url).searchParams.get('port'));
/** A public address, as private ones are refused. */
const PUBLIC_ADDRESS = '93.184.215.14';

https.Agent.prototype.createConnection = () => net.connect(port, '127.0.0.1');
Resolver.prototype.resolve4 = (async () => [PUBLIC_ADDRESS]) as unknown as Resolver['resolve4'];
Resolver.prototype.resolve6 = (async () => []) as unknown as Resolver['resolve6'];
