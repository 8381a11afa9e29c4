import { LINK_MINUTES } from '#functions/auth/auth-mails.ts';
import type { CustomerLanguage } from '#shared/domain/accounts/organization.model.ts';
import type { Mail } from '#shared/ports/mail.port.ts';

/** From where and when the link was requested, so that its reader can tell a stranger's request. */
type RequestOrigin = { readonly ip: string; readonly at: Date };

type SignInTexts = {
  readonly subject: string;
  readonly open: string;
  readonly once: string;
  /** `ip` and `time` stand on lines that no translation has to break. */
  readonly origin: (ip: string, day: string, time: string) => string;
  readonly ignore: string;
};

/** The mail with a sign-in link. Adding a language is adding a text here. */
const TEXTS: Readonly<Record<CustomerLanguage, SignInTexts>> = {
  en: {
    subject: 'Your sign-in link',
    open: 'Open this link to sign in:',
    once: `The link works once and expires in ${LINK_MINUTES} minutes.`,
    origin: (ip, day, time) => `It was requested from the IP address ${ip} on ${day} at ${time} UTC.`,
    ignore: 'If that was not you, ignore this email: nobody can sign in without the link.',
  },
  de: {
    subject: 'Ihr Anmeldelink',
    open: 'Öffnen Sie diesen Link, um sich anzumelden:',
    once: `Der Link gilt einmal und läuft in ${LINK_MINUTES} Minuten ab.`,
    origin: (ip, day, time) => `Er wurde von der IP-Adresse ${ip} am ${day} um ${time} UTC angefordert.`,
    ignore: 'Wenn Sie das nicht waren, ignorieren Sie diese E-Mail: Ohne den Link kann sich niemand anmelden.',
  },
  fr: {
    subject: 'Votre lien de connexion',
    open: 'Ouvrez ce lien pour vous connecter :',
    once: `Le lien fonctionne une seule fois et expire dans ${LINK_MINUTES} minutes.`,
    origin: (ip, day, time) => `Il a été demandé depuis l’adresse IP ${ip} le ${day} à ${time} UTC.`,
    ignore: 'Si ce n’était pas vous, ignorez cet e-mail : personne ne peut se connecter sans le lien.',
  },
  es: {
    subject: 'Su enlace de inicio de sesión',
    open: 'Abra este enlace para iniciar sesión:',
    once: `El enlace funciona una sola vez y caduca en ${LINK_MINUTES} minutos.`,
    origin: (ip, day, time) => `Se solicitó desde la dirección IP ${ip} el ${day} a las ${time} UTC.`,
    ignore: 'Si no fue usted, ignore este correo: nadie puede iniciar sesión sin el enlace.',
  },
  nl: {
    subject: 'Uw inloglink',
    open: 'Open deze link om in te loggen:',
    once: `De link werkt één keer en verloopt over ${LINK_MINUTES} minuten.`,
    origin: (ip, day, time) => `Hij is aangevraagd vanaf het IP-adres ${ip} op ${day} om ${time} UTC.`,
    ignore: 'Was u dit niet, negeer dan deze e-mail: zonder de link kan niemand inloggen.',
  },
  pt: {
    subject: 'O seu link de início de sessão',
    open: 'Abra este link para iniciar sessão:',
    once: `O link funciona uma única vez e expira em ${LINK_MINUTES} minutos.`,
    origin: (ip, day, time) => `Foi pedido a partir do endereço IP ${ip} em ${day} às ${time} UTC.`,
    ignore: 'Se não foi você, ignore este e-mail: ninguém consegue iniciar sessão sem o link.',
  },
};

export function signInMail(language: CustomerLanguage, to: string, link: string, { ip, at }: RequestOrigin): Mail {
  const { subject, open, once, origin, ignore } = TEXTS[language];
  const [day = '', time = ''] = at.toISOString().slice(0, 16).split('T');
  return { to, subject, text: `${open}\n\n${link}\n\n${once}\n${origin(ip, day, time)}\n\n${ignore}\n` };
}
