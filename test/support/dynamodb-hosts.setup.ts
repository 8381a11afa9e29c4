import { inject } from 'vitest';
import { keepTablesIn } from '#test/support/host-store.ts';

keepTablesIn({ store: 'dynamodb', emulator: inject('emulator') });
