import type { SignInMessages } from '#functions/hosted-pages/sign-in/messages.model.ts';
import type { CustomerLanguage } from '#shared/domain/accounts/organization.model.ts';
import { SIGN_IN_LINK_LIFETIME } from '#shared/domain/accounts/sign-in.model.ts';
import { MINUTE } from '#shared/kernel/clock.ts';

const MINUTES = SIGN_IN_LINK_LIFETIME / MINUTE;

const EN: SignInMessages = {
  title: 'Sign in',
  heading: 'Sign in to Payfork',
  linkOpens: 'This link opens the account',
  linkWorksOnce: 'The link works once: press the button to use it.',
  code: 'Code',
  signIn: 'Sign in',
  codeIfApp: 'If you use an authenticator app, enter its code or a recovery code.',
  lostCodes: 'Lost your phone and your codes?',
  signInWithCode: 'Sign in with a code',
  anotherWay: 'Sign in another way',
  needsScript:
    'Signing in here needs JavaScript, which is off in this browser. A sign-in link from an email works without it.',
  email: 'Email address',
  sendLink: 'Send me a sign-in link',
  or: 'or',
  passkey: 'Sign in with a passkey',
  incomplete: 'This sign-in link is incomplete. Open it again from the email, or request a new one.',
  tooMany: { heading: 'Too many requests', text: 'There were too many requests from your network.' },
  failed: { heading: 'Something went wrong', text: 'This is our fault. Please try again.' },
  tryAgain: 'Try again',
  script: {
    totp_required: 'Enter the code from your authenticator app, or a recovery code.',
    invalid_code: 'This code is incorrect or was already used. Enter another code.',
    invalid_link: 'This sign-in link has expired or was already used. Request a new one.',
    invalid_passkey: 'This passkey could not be verified. Try another one, or request a sign-in link.',
    invalid_request: 'Something you entered is not valid. Check it and try again.',
    rate_limited: 'Too many attempts. Try again in {seconds} seconds.',
    unreachable: 'Payfork could not be reached. Check your connection and try again.',
    other: 'Something went wrong. This is our fault. Please try again.',
    link_sent:
      `If this address can receive email, a sign-in link is on its way. It works once and expires in ${MINUTES} ` +
      'minutes.',
    no_passkey: 'No passkey was used. Try again, or request a sign-in link.',
    signed_in: 'You are signed in. One moment…',
  },
};

const DE: SignInMessages = {
  title: 'Anmelden',
  heading: 'Bei Payfork anmelden',
  linkOpens: 'Dieser Link öffnet das Konto',
  linkWorksOnce: 'Der Link gilt einmal: Drücken Sie die Schaltfläche, um ihn zu verwenden.',
  code: 'Code',
  signIn: 'Anmelden',
  codeIfApp: 'Wenn Sie eine Authenticator-App verwenden, geben Sie deren Code oder einen Wiederherstellungscode ein.',
  lostCodes: 'Telefon und Codes verloren?',
  signInWithCode: 'Mit Code anmelden',
  anotherWay: 'Anders anmelden',
  needsScript:
    'Die Anmeldung braucht hier JavaScript, das in diesem Browser ausgeschaltet ist. Ein Anmeldelink aus einer ' +
    'E-Mail funktioniert auch ohne.',
  email: 'E-Mail-Adresse',
  sendLink: 'Anmeldelink zusenden',
  or: 'oder',
  passkey: 'Mit Passkey anmelden',
  incomplete:
    'Dieser Anmeldelink ist unvollständig. Öffnen Sie ihn noch einmal aus der E-Mail oder fordern Sie einen neuen an.',
  tooMany: { heading: 'Zu viele Anfragen', text: 'Von Ihrem Anschluss kamen zu viele Anfragen.' },
  failed: {
    heading: 'Etwas ist schiefgegangen',
    text: 'Der Fehler liegt bei uns. Bitte versuchen Sie es noch einmal.',
  },
  tryAgain: 'Noch einmal versuchen',
  script: {
    totp_required: 'Geben Sie den Code aus Ihrer Authenticator-App oder einen Wiederherstellungscode ein.',
    invalid_code: 'Dieser Code ist falsch oder wurde schon verwendet. Geben Sie einen anderen ein.',
    invalid_link: 'Dieser Anmeldelink ist abgelaufen oder wurde schon verwendet. Fordern Sie einen neuen an.',
    invalid_passkey:
      'Dieser Passkey konnte nicht bestätigt werden. Versuchen Sie einen anderen oder fordern Sie einen ' +
      'Anmeldelink an.',
    invalid_request: 'Eine Ihrer Angaben ist ungültig. Prüfen Sie sie und versuchen Sie es noch einmal.',
    rate_limited: 'Zu viele Versuche. Versuchen Sie es in {seconds} Sekunden noch einmal.',
    unreachable: 'Payfork ist nicht erreichbar. Prüfen Sie Ihre Verbindung und versuchen Sie es noch einmal.',
    other: 'Etwas ist schiefgegangen. Der Fehler liegt bei uns. Bitte versuchen Sie es noch einmal.',
    link_sent:
      'Wenn diese Adresse E-Mails empfangen kann, ist ein Anmeldelink unterwegs. Er gilt einmal und läuft in ' +
      `${MINUTES} Minuten ab.`,
    no_passkey: 'Es wurde kein Passkey verwendet. Versuchen Sie es noch einmal oder fordern Sie einen Anmeldelink an.',
    signed_in: 'Sie sind angemeldet. Einen Moment…',
  },
};

const FR: SignInMessages = {
  title: 'Connexion',
  heading: 'Se connecter à Payfork',
  linkOpens: 'Ce lien ouvre le compte',
  linkWorksOnce: 'Le lien ne sert qu’une fois : appuyez sur le bouton pour l’utiliser.',
  code: 'Code',
  signIn: 'Se connecter',
  codeIfApp: 'Si vous utilisez une application d’authentification, saisissez son code ou un code de secours.',
  lostCodes: 'Téléphone et codes perdus ?',
  signInWithCode: 'Se connecter avec un code',
  anotherWay: 'Se connecter autrement',
  needsScript:
    'La connexion a besoin ici de JavaScript, désactivé dans ce navigateur. Un lien de connexion reçu par e-mail ' +
    'fonctionne sans.',
  email: 'Adresse e-mail',
  sendLink: 'Recevoir un lien de connexion',
  or: 'ou',
  passkey: 'Se connecter avec une clé d’accès',
  incomplete: 'Ce lien de connexion est incomplet. Ouvrez-le à nouveau depuis l’e-mail, ou demandez-en un autre.',
  tooMany: { heading: 'Trop de demandes', text: 'Votre réseau a envoyé trop de demandes.' },
  failed: { heading: 'Un problème est survenu', text: 'L’erreur vient de nous. Veuillez réessayer.' },
  tryAgain: 'Réessayer',
  script: {
    totp_required: 'Saisissez le code de votre application d’authentification, ou un code de secours.',
    invalid_code: 'Ce code est inexact ou a déjà été utilisé. Saisissez-en un autre.',
    invalid_link: 'Ce lien de connexion a expiré ou a déjà été utilisé. Demandez-en un autre.',
    invalid_passkey:
      'Cette clé d’accès n’a pas pu être vérifiée. Essayez-en une autre, ou demandez un lien de connexion.',
    invalid_request: 'Une des informations saisies n’est pas valide. Vérifiez-la et réessayez.',
    rate_limited: 'Trop de tentatives. Réessayez dans {seconds} secondes.',
    unreachable: 'Payfork est injoignable. Vérifiez votre connexion et réessayez.',
    other: 'Un problème est survenu. L’erreur vient de nous. Veuillez réessayer.',
    link_sent:
      'Si cette adresse peut recevoir des e-mails, un lien de connexion est en route. Il ne sert qu’une fois et ' +
      `expire dans ${MINUTES} minutes.`,
    no_passkey: 'Aucune clé d’accès n’a été utilisée. Réessayez, ou demandez un lien de connexion.',
    signed_in: 'Vous êtes connecté. Un instant…',
  },
};

const ES: SignInMessages = {
  title: 'Iniciar sesión',
  heading: 'Iniciar sesión en Payfork',
  linkOpens: 'Este enlace abre la cuenta',
  linkWorksOnce: 'El enlace sirve una vez: pulse el botón para usarlo.',
  code: 'Código',
  signIn: 'Iniciar sesión',
  codeIfApp: 'Si usa una aplicación de autenticación, escriba su código o un código de recuperación.',
  lostCodes: '¿Ha perdido el teléfono y los códigos?',
  signInWithCode: 'Iniciar sesión con un código',
  anotherWay: 'Iniciar sesión de otra forma',
  needsScript:
    'Aquí hace falta JavaScript, que está desactivado en este navegador. Un enlace recibido por correo ' +
    'electrónico funciona sin él.',
  email: 'Correo electrónico',
  sendLink: 'Enviarme un enlace de acceso',
  or: 'o',
  passkey: 'Iniciar sesión con una llave de acceso',
  incomplete: 'Este enlace de acceso está incompleto. Ábralo de nuevo desde el correo o pida uno nuevo.',
  tooMany: { heading: 'Demasiadas solicitudes', text: 'Su red ha enviado demasiadas solicitudes.' },
  failed: { heading: 'Algo ha fallado', text: 'El error es nuestro. Inténtelo de nuevo.' },
  tryAgain: 'Intentarlo de nuevo',
  script: {
    totp_required: 'Escriba el código de su aplicación de autenticación o un código de recuperación.',
    invalid_code: 'Este código no es correcto o ya se ha usado. Escriba otro.',
    invalid_link: 'Este enlace de acceso ha caducado o ya se ha usado. Pida uno nuevo.',
    invalid_passkey: 'No se ha podido verificar esta llave de acceso. Pruebe con otra o pida un enlace de acceso.',
    invalid_request: 'Alguno de los datos no es válido. Revíselo e inténtelo de nuevo.',
    rate_limited: 'Demasiados intentos. Inténtelo de nuevo en {seconds} segundos.',
    unreachable: 'No se puede conectar con Payfork. Revise su conexión e inténtelo de nuevo.',
    other: 'Algo ha fallado. El error es nuestro. Inténtelo de nuevo.',
    link_sent:
      'Si esta dirección puede recibir correo, hay un enlace de acceso en camino. Sirve una vez y caduca en ' +
      `${MINUTES} minutos.`,
    no_passkey: 'No se ha usado ninguna llave de acceso. Inténtelo de nuevo o pida un enlace de acceso.',
    signed_in: 'Ha iniciado sesión. Un momento…',
  },
};

const NL: SignInMessages = {
  title: 'Inloggen',
  heading: 'Inloggen bij Payfork',
  linkOpens: 'Deze link opent het account',
  linkWorksOnce: 'De link werkt één keer: druk op de knop om hem te gebruiken.',
  code: 'Code',
  signIn: 'Inloggen',
  codeIfApp: 'Gebruikt u een authenticator-app, vul dan de code ervan in, of een herstelcode.',
  lostCodes: 'Telefoon en codes kwijt?',
  signInWithCode: 'Inloggen met een code',
  anotherWay: 'Op een andere manier inloggen',
  needsScript:
    'Inloggen heeft hier JavaScript nodig, dat in deze browser uit staat. Een inloglink uit een e-mail werkt ook ' +
    'zonder.',
  email: 'E-mailadres',
  sendLink: 'Stuur mij een inloglink',
  or: 'of',
  passkey: 'Inloggen met een passkey',
  incomplete: 'Deze inloglink is niet compleet. Open hem opnieuw vanuit de e-mail, of vraag een nieuwe aan.',
  tooMany: { heading: 'Te veel verzoeken', text: 'Er kwamen te veel verzoeken van uw netwerk.' },
  failed: { heading: 'Er ging iets mis', text: 'Dat ligt aan ons. Probeer het opnieuw.' },
  tryAgain: 'Opnieuw proberen',
  script: {
    totp_required: 'Vul de code van uw authenticator-app in, of een herstelcode.',
    invalid_code: 'Deze code is onjuist of al gebruikt. Vul een andere in.',
    invalid_link: 'Deze inloglink is verlopen of al gebruikt. Vraag een nieuwe aan.',
    invalid_passkey: 'Deze passkey kon niet worden gecontroleerd. Probeer een andere, of vraag een inloglink aan.',
    invalid_request: 'Iets van wat u hebt ingevuld is ongeldig. Controleer het en probeer het opnieuw.',
    rate_limited: 'Te veel pogingen. Probeer het over {seconds} seconden opnieuw.',
    unreachable: 'Payfork is niet bereikbaar. Controleer uw verbinding en probeer het opnieuw.',
    other: 'Er ging iets mis. Dat ligt aan ons. Probeer het opnieuw.',
    link_sent:
      'Als dit adres e-mail kan ontvangen, is er een inloglink onderweg. Hij werkt één keer en verloopt over ' +
      `${MINUTES} minuten.`,
    no_passkey: 'Er is geen passkey gebruikt. Probeer het opnieuw, of vraag een inloglink aan.',
    signed_in: 'U bent ingelogd. Een ogenblik…',
  },
};

const PT: SignInMessages = {
  title: 'Iniciar sessão',
  heading: 'Iniciar sessão na Payfork',
  linkOpens: 'Este link abre a conta',
  linkWorksOnce: 'O link funciona uma vez: carregue no botão para o usar.',
  code: 'Código',
  signIn: 'Iniciar sessão',
  codeIfApp: 'Se usa uma aplicação de autenticação, indique o código dela ou um código de recuperação.',
  lostCodes: 'Perdeu o telefone e os códigos?',
  signInWithCode: 'Iniciar sessão com um código',
  anotherWay: 'Iniciar sessão de outra forma',
  needsScript:
    'Aqui é preciso JavaScript, que está desligado neste navegador. Um link recebido por e-mail funciona sem ele.',
  email: 'Endereço de e-mail',
  sendLink: 'Enviar-me um link de acesso',
  or: 'ou',
  passkey: 'Iniciar sessão com uma chave de acesso',
  incomplete: 'Este link de acesso está incompleto. Abra-o novamente a partir do e-mail ou peça um novo.',
  tooMany: { heading: 'Demasiados pedidos', text: 'A sua rede enviou demasiados pedidos.' },
  failed: { heading: 'Algo correu mal', text: 'O erro é nosso. Tente novamente.' },
  tryAgain: 'Tentar novamente',
  script: {
    totp_required: 'Indique o código da sua aplicação de autenticação ou um código de recuperação.',
    invalid_code: 'Este código está incorreto ou já foi usado. Indique outro.',
    invalid_link: 'Este link de acesso expirou ou já foi usado. Peça um novo.',
    invalid_passkey: 'Não foi possível verificar esta chave de acesso. Tente com outra ou peça um link de acesso.',
    invalid_request: 'Algum dos dados não é válido. Verifique e tente novamente.',
    rate_limited: 'Demasiadas tentativas. Tente novamente dentro de {seconds} segundos.',
    unreachable: 'Não é possível contactar a Payfork. Verifique a sua ligação e tente novamente.',
    other: 'Algo correu mal. O erro é nosso. Tente novamente.',
    link_sent:
      'Se este endereço puder receber e-mail, um link de acesso está a caminho. Funciona uma vez e expira dentro ' +
      `de ${MINUTES} minutos.`,
    no_passkey: 'Não foi usada nenhuma chave de acesso. Tente novamente ou peça um link de acesso.',
    signed_in: 'Sessão iniciada. Um momento…',
  },
};

/** The sign-in page speaks the languages of the payment pages. */
export const SIGN_IN_MESSAGES: Readonly<Record<CustomerLanguage, SignInMessages>> = {
  en: EN,
  de: DE,
  fr: FR,
  es: ES,
  nl: NL,
  pt: PT,
};
