import type { ProofMessages } from '#client/dashboard/shell/proof-messages.ts';

export const ES: ProofMessages = {
  title: 'Confirme que es usted',
  why: 'Este cambio necesita una prueba de su identidad de hace menos de 10 minutos. Después seguirá donde estaba.',
  noPasskeys:
    'Su cuenta necesita aquí una llave de acceso y este navegador no tiene ninguna. Abra el panel en el dispositivo que la tiene.',
  usePasskey: 'Usar una llave de acceso',
  declined: 'No se ha usado ninguna llave de acceso. Inténtelo de nuevo.',
  code: 'Código',
  codeHint: 'Seis cifras de su aplicación de autenticación o un código de recuperación.',
  sendLink: (email) => `Enviar un enlace a ${email}`,
  linkSent: (email) => `Hemos enviado un enlace a ${email}. Ábralo en este navegador y confirme aquí.`,
  link: 'O pegue el enlace',
  linkHint: 'Si lee su correo en otro dispositivo.',
  confirm: 'Confirmar',
};
