import type { AccountLinkMessages } from '#functions/hosted-pages/account-links/account-link.model.ts';
import type { CustomerLanguage } from '#shared/domain/accounts/organization.model.ts';
import { RECOVERY_WAIT } from '#shared/domain/accounts/recovery.model.ts';
import { HOUR } from '#shared/kernel/clock.ts';

const WAIT = RECOVERY_WAIT / HOUR;

const EN: AccountLinkMessages = {
  title: 'Your account',
  needsScript: 'This page needs JavaScript, which is off in this browser.',
  incomplete: 'This link is incomplete. Open it again from the email.',
  signIn: 'Go to sign-in',
  actions: {
    undo: {
      heading: 'Undo the change?',
      text: 'This undoes the change that the email is about and signs you out everywhere. If you made the change yourself, close this page.',
      button: 'Undo the change',
      done: 'The change is undone, and everyone is signed out. Sign in again, and remove passkeys and API keys that you do not recognize.',
    },
    recover: {
      heading: 'Lost your phone and your codes?',
      text: `People at Payfork check your request and approve it. After another ${WAIT} hours you can turn two-factor authentication off and remove your passkeys. We send you an email at each step.`,
      button: 'Request recovery',
      done: 'We received your request and sent you an email.',
    },
    'finish-recovery': {
      heading: 'Recover your account',
      text: 'This turns two-factor authentication off, removes your passkeys and signs you out everywhere.',
      button: 'Recover my account',
      done: 'Your account is recovered. Sign in with a mailed link, then set up two-factor authentication again.',
    },
    'cancel-recovery': {
      heading: 'Stop the recovery?',
      text: 'Someone asked to recover this account. If that was not you, stop it.',
      button: 'Stop the recovery',
      done: 'The recovery is stopped. Nothing else has changed.',
    },
  },
  errors: {
    invalid_link: 'This link has expired or was already used.',
    totp_enabled:
      'Two-factor authentication was turned on again since. Undo that first, with the link in the email about it.',
    passkey_limit: 'There are too many passkeys. Remove one first.',
    recovery_waiting: 'The waiting time is not over. The email says when it ends.',
    recovery_not_needed: 'This account needs no recovery: a sign-in link is enough.',
    recovery_not_open: 'This recovery is over: it was rejected, stopped or finished, or it expired.',
  },
};

const DE: AccountLinkMessages = {
  title: 'Ihr Konto',
  needsScript: 'Diese Seite braucht JavaScript, das in diesem Browser ausgeschaltet ist.',
  incomplete: 'Dieser Link ist unvollständig. Öffnen Sie ihn noch einmal aus der E-Mail.',
  signIn: 'Zur Anmeldung',
  actions: {
    undo: {
      heading: 'Änderung rückgängig machen?',
      text: 'Damit machen Sie die Änderung aus der E-Mail rückgängig und werden überall abgemeldet. Wenn Sie selbst etwas geändert haben, schließen Sie diese Seite.',
      button: 'Änderung rückgängig machen',
      done: 'Die Änderung ist rückgängig gemacht, und alle sind abgemeldet. Melden Sie sich wieder an und entfernen Sie Passkeys und API-Schlüssel, die Sie nicht kennen.',
    },
    recover: {
      heading: 'Telefon und Codes verloren?',
      text: `Mitarbeiter von Payfork prüfen Ihre Anfrage und geben sie frei. Nach weiteren ${WAIT} Stunden können Sie die Zwei-Faktor-Authentisierung ausschalten und Ihre Passkeys entfernen. Zu jedem Schritt erhalten Sie eine E-Mail.`,
      button: 'Wiederherstellung beantragen',
      done: 'Wir haben Ihre Anfrage erhalten und Ihnen eine E-Mail geschickt.',
    },
    'finish-recovery': {
      heading: 'Konto wiederherstellen',
      text: 'Damit schalten Sie die Zwei-Faktor-Authentisierung aus, entfernen Ihre Passkeys und werden überall abgemeldet.',
      button: 'Mein Konto wiederherstellen',
      done: 'Ihr Konto ist wiederhergestellt. Melden Sie sich mit einem Link per E-Mail an und richten Sie die Zwei-Faktor-Authentisierung neu ein.',
    },
    'cancel-recovery': {
      heading: 'Wiederherstellung stoppen?',
      text: 'Jemand möchte dieses Konto wiederherstellen. Wenn Sie das nicht waren, stoppen Sie es.',
      button: 'Wiederherstellung stoppen',
      done: 'Die Wiederherstellung ist gestoppt. Sonst hat sich nichts geändert.',
    },
  },
  errors: {
    invalid_link: 'Dieser Link ist abgelaufen oder wurde schon verwendet.',
    totp_enabled:
      'Die Zwei-Faktor-Authentisierung wurde seither wieder eingeschaltet. Machen Sie zuerst das rückgängig, mit dem Link aus der E-Mail dazu.',
    passkey_limit: 'Es gibt zu viele Passkeys. Entfernen Sie zuerst einen.',
    recovery_waiting: 'Die Wartezeit ist noch nicht vorbei. In der E-Mail steht, wann sie endet.',
    recovery_not_needed: 'Dieses Konto braucht keine Wiederherstellung: Ein Anmeldelink genügt.',
    recovery_not_open:
      'Diese Wiederherstellung ist vorbei: Sie wurde abgelehnt, gestoppt oder abgeschlossen, oder sie ist abgelaufen.',
  },
};

const FR: AccountLinkMessages = {
  title: 'Votre compte',
  needsScript: 'Cette page a besoin de JavaScript, désactivé dans ce navigateur.',
  incomplete: 'Ce lien est incomplet. Ouvrez-le à nouveau depuis l’e-mail.',
  signIn: 'Aller à la connexion',
  actions: {
    undo: {
      heading: 'Annuler la modification ?',
      text: 'La modification annoncée par l’e-mail sera annulée et vous serez déconnecté partout. Si vous l’avez faite vous-même, fermez cette page.',
      button: 'Annuler la modification',
      done: 'La modification est annulée et tout le monde est déconnecté. Reconnectez-vous et supprimez les clés d’accès et les clés API que vous ne reconnaissez pas.',
    },
    recover: {
      heading: 'Téléphone et codes perdus ?',
      text: `L’équipe de Payfork vérifie votre demande et l’approuve. Après ${WAIT} heures de plus, vous pourrez désactiver l’authentification à deux facteurs et supprimer vos clés d’accès. Un e-mail vous informe à chaque étape.`,
      button: 'Demander la récupération',
      done: 'Nous avons reçu votre demande et vous avons envoyé un e-mail.',
    },
    'finish-recovery': {
      heading: 'Récupérer votre compte',
      text: 'L’authentification à deux facteurs sera désactivée, vos clés d’accès supprimées, et vous serez déconnecté partout.',
      button: 'Récupérer mon compte',
      done: 'Votre compte est récupéré. Connectez-vous avec un lien reçu par e-mail, puis configurez à nouveau l’authentification à deux facteurs.',
    },
    'cancel-recovery': {
      heading: 'Arrêter la récupération ?',
      text: 'Quelqu’un a demandé à récupérer ce compte. Si ce n’était pas vous, arrêtez-la.',
      button: 'Arrêter la récupération',
      done: 'La récupération est arrêtée. Rien d’autre n’a changé.',
    },
  },
  errors: {
    invalid_link: 'Ce lien a expiré ou a déjà été utilisé.',
    totp_enabled:
      'L’authentification à deux facteurs a été réactivée depuis. Annulez d’abord cela, avec le lien de l’e-mail correspondant.',
    passkey_limit: 'Il y a trop de clés d’accès. Supprimez-en une d’abord.',
    recovery_waiting: 'Le délai d’attente n’est pas terminé. L’e-mail indique quand il se termine.',
    recovery_not_needed: 'Ce compte n’a pas besoin de récupération : un lien de connexion suffit.',
    recovery_not_open: 'Cette récupération est terminée : elle a été refusée, arrêtée ou achevée, ou elle a expiré.',
  },
};

const ES: AccountLinkMessages = {
  title: 'Su cuenta',
  needsScript: 'Esta página necesita JavaScript, que está desactivado en este navegador.',
  incomplete: 'Este enlace está incompleto. Ábralo de nuevo desde el correo.',
  signIn: 'Ir al inicio de sesión',
  actions: {
    undo: {
      heading: '¿Deshacer el cambio?',
      text: 'Se deshace el cambio del que trata el correo y se cierran todas sus sesiones. Si lo hizo usted, cierre esta página.',
      button: 'Deshacer el cambio',
      done: 'El cambio se ha deshecho y se han cerrado todas las sesiones. Inicie sesión de nuevo y elimine las llaves de acceso y las claves de API que no reconozca.',
    },
    recover: {
      heading: '¿Ha perdido el teléfono y los códigos?',
      text: `El equipo de Payfork revisa su solicitud y la aprueba. Tras otras ${WAIT} horas podrá desactivar la autenticación en dos pasos y eliminar sus llaves de acceso. Le escribimos en cada paso.`,
      button: 'Solicitar la recuperación',
      done: 'Hemos recibido su solicitud y le hemos enviado un correo.',
    },
    'finish-recovery': {
      heading: 'Recuperar su cuenta',
      text: 'Se desactiva la autenticación en dos pasos, se eliminan sus llaves de acceso y se cierran todas sus sesiones.',
      button: 'Recuperar mi cuenta',
      done: 'Ha recuperado su cuenta. Inicie sesión con un enlace recibido por correo y configure de nuevo la autenticación en dos pasos.',
    },
    'cancel-recovery': {
      heading: '¿Detener la recuperación?',
      text: 'Alguien ha pedido recuperar esta cuenta. Si no ha sido usted, deténgalo.',
      button: 'Detener la recuperación',
      done: 'La recuperación se ha detenido. No ha cambiado nada más.',
    },
  },
  errors: {
    invalid_link: 'Este enlace ha caducado o ya se ha usado.',
    totp_enabled:
      'Desde entonces se ha vuelto a activar la autenticación en dos pasos. Deshaga primero eso, con el enlace del correo correspondiente.',
    passkey_limit: 'Hay demasiadas llaves de acceso. Elimine una primero.',
    recovery_waiting: 'El tiempo de espera no ha terminado. El correo dice cuándo termina.',
    recovery_not_needed: 'Esta cuenta no necesita recuperación: basta un enlace de acceso.',
    recovery_not_open: 'Esta recuperación ha terminado: se rechazó, se detuvo o se completó, o ha caducado.',
  },
};

const NL: AccountLinkMessages = {
  title: 'Uw account',
  needsScript: 'Deze pagina heeft JavaScript nodig, dat in deze browser uit staat.',
  incomplete: 'Deze link is niet compleet. Open hem opnieuw vanuit de e-mail.',
  signIn: 'Naar inloggen',
  actions: {
    undo: {
      heading: 'Wijziging ongedaan maken?',
      text: 'Hiermee maakt u de wijziging uit de e-mail ongedaan en wordt u overal uitgelogd. Hebt u zelf iets gewijzigd, sluit dan deze pagina.',
      button: 'Wijziging ongedaan maken',
      done: 'De wijziging is ongedaan gemaakt en iedereen is uitgelogd. Log opnieuw in en verwijder passkeys en API-sleutels die u niet herkent.',
    },
    recover: {
      heading: 'Telefoon en codes kwijt?',
      text: `Medewerkers van Payfork controleren uw verzoek en keuren het goed. Na nog eens ${WAIT} uur kunt u tweestapsverificatie uitzetten en uw passkeys verwijderen. Bij elke stap krijgt u een e-mail.`,
      button: 'Herstel aanvragen',
      done: 'We hebben uw verzoek ontvangen en u een e-mail gestuurd.',
    },
    'finish-recovery': {
      heading: 'Uw account herstellen',
      text: 'Hiermee zet u tweestapsverificatie uit, verwijdert u uw passkeys en wordt u overal uitgelogd.',
      button: 'Mijn account herstellen',
      done: 'Uw account is hersteld. Log in met een link per e-mail en stel tweestapsverificatie opnieuw in.',
    },
    'cancel-recovery': {
      heading: 'Herstel stoppen?',
      text: 'Iemand wil dit account herstellen. Was u dat niet, stop het dan.',
      button: 'Herstel stoppen',
      done: 'Het herstel is gestopt. Verder is er niets gewijzigd.',
    },
  },
  errors: {
    invalid_link: 'Deze link is verlopen of al gebruikt.',
    totp_enabled:
      'Tweestapsverificatie is sindsdien weer aangezet. Maak dat eerst ongedaan, met de link in de e-mail daarover.',
    passkey_limit: 'Er zijn te veel passkeys. Verwijder er eerst een.',
    recovery_waiting: 'De wachttijd is nog niet voorbij. In de e-mail staat wanneer die eindigt.',
    recovery_not_needed: 'Dit account heeft geen herstel nodig: een inloglink is genoeg.',
    recovery_not_open: 'Dit herstel is voorbij: het is afgewezen, gestopt of afgerond, of het is verlopen.',
  },
};

const PT: AccountLinkMessages = {
  title: 'A sua conta',
  needsScript: 'Esta página precisa de JavaScript, que está desativado neste navegador.',
  incomplete: 'Este link está incompleto. Abra-o novamente a partir do e-mail.',
  signIn: 'Ir para o início de sessão',
  actions: {
    undo: {
      heading: 'Anular a alteração?',
      text: 'Anula a alteração de que trata o e-mail e termina todas as suas sessões. Se foi feita por si, feche esta página.',
      button: 'Anular a alteração',
      done: 'A alteração foi anulada e todas as sessões terminaram. Inicie sessão novamente e remova as chaves de acesso e as chaves de API que não reconhece.',
    },
    recover: {
      heading: 'Perdeu o telefone e os códigos?',
      text: `A equipa da Payfork verifica o seu pedido e aprova-o. Após mais ${WAIT} horas, pode desativar a autenticação de dois fatores e remover as suas chaves de acesso. Enviamos-lhe um e-mail em cada passo.`,
      button: 'Pedir a recuperação',
      done: 'Recebemos o seu pedido e enviámos-lhe um e-mail.',
    },
    'finish-recovery': {
      heading: 'Recuperar a sua conta',
      text: 'Desativa a autenticação de dois fatores, remove as suas chaves de acesso e termina todas as suas sessões.',
      button: 'Recuperar a minha conta',
      done: 'A sua conta foi recuperada. Inicie sessão com um link recebido por e-mail e configure novamente a autenticação de dois fatores.',
    },
    'cancel-recovery': {
      heading: 'Parar a recuperação?',
      text: 'Alguém pediu para recuperar esta conta. Se não foi você, pare-a.',
      button: 'Parar a recuperação',
      done: 'A recuperação foi parada. Nada mais mudou.',
    },
  },
  errors: {
    invalid_link: 'Este link expirou ou já foi usado.',
    totp_enabled:
      'A autenticação de dois fatores foi ativada novamente desde então. Anule primeiro isso, com o link do respetivo e-mail.',
    passkey_limit: 'Há demasiadas chaves de acesso. Remova uma primeiro.',
    recovery_waiting: 'O tempo de espera ainda não terminou. O e-mail diz quando termina.',
    recovery_not_needed: 'Esta conta não precisa de recuperação: basta um link de acesso.',
    recovery_not_open: 'Esta recuperação terminou: foi rejeitada, parada ou concluída, ou expirou.',
  },
};

export const ACCOUNT_LINK_MESSAGES: Readonly<Record<CustomerLanguage, AccountLinkMessages>> = {
  en: EN,
  de: DE,
  fr: FR,
  es: ES,
  nl: NL,
  pt: PT,
};
