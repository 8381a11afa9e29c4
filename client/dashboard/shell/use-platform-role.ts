import { useQuery } from '#client/dashboard/api/use-query.ts';

/** The person's role on the platform; most people have none. */
export const usePlatformRole = () => useQuery(['platform-me'], (api, options) => api.platform.getRole({}, options));
