import type { Messages } from '#functions/hosted-pages/locales/locale.model.ts';

export const FR: Messages = {
  payment: 'Paiement',
  paymentTo: 'Paiement à',
  payableUntil: (date) => `À payer avant le ${date}.`,
  testMode: 'Mode test',
  testModeNotice: 'Aucun montant réel n’est débité.',
  errorPrefix: 'Erreur',
  optional: 'facultatif',
  form: {
    method: 'Comment souhaitez-vous payer ?',
    oneMethod: 'Moyen de paiement',
    country: 'Pays depuis lequel vous payez',
    chooseCountry: 'Choisissez un pays',
    email: 'Adresse e-mail',
    pay: (amount) => `Payer ${amount}`,
    redirectNotice: 'Vous payez sur la page sécurisée du prestataire de paiement, qui s’ouvre ensuite.',
  },
  fieldErrors: {
    heading: 'Vérifiez votre saisie',
    method: 'Choisissez l’un de ces moyens de paiement.',
    country: 'Choisissez le pays depuis lequel vous payez.',
    email: 'Saisissez une adresse e-mail, par exemple nom@example.com.',
    input: 'Cette saisie n’a pas été acceptée. Vérifiez-la et recommencez.',
  },
  notices: {
    declined: 'Votre paiement n’a pas abouti',
    canceled: 'Vous avez interrompu le paiement. Vous pouvez recommencer ici.',
    stale:
      'Rien n’a été payé : cette page est restée ouverte trop longtemps, ou votre navigateur refuse les ' +
      'cookies. Veuillez réessayer.',
  },
  failures: {
    declined:
      'Votre banque ou l’émetteur de la carte a refusé le paiement. Essayez une autre carte ou un autre ' +
      'moyen de paiement.',
    insufficient_funds: 'Le solde du compte est insuffisant. Essayez une autre carte ou un autre compte.',
    limit_exceeded:
      'Un plafond de votre carte ou de votre compte est dépassé. Essayez-en une autre ou adressez-vous à votre banque.',
    expired_card: 'La carte a expiré. Essayez une autre carte.',
    wrong_details: 'Une des informations saisies est inexacte. Vérifiez-la et réessayez.',
    not_authenticated: 'Votre banque n’a pas pu confirmer qu’il s’agissait de vous. Réessayez.',
    method_not_accepted:
      'Cette carte ou ce compte ne permet pas ce paiement. Essayez une autre carte ou un autre compte.',
    not_completed: 'Le paiement n’a pas été terminé.',
    timed_out: 'Le délai pour terminer le paiement est écoulé. Vous pouvez recommencer.',
    unavailable: 'Le service de paiement est injoignable pour le moment. Réessayez dans quelques minutes.',
    not_possible:
      'Le paiement n’est pas possible de cette façon pour le moment. Choisissez un autre moyen ou ' +
      'adressez-vous au vendeur.',
  },
  otherFailures: {
    declined: 'Votre banque ou votre service de paiement a refusé le paiement. Réessayez, ou payez autrement.',
    insufficient_funds: 'Le solde du compte est insuffisant. Essayez un autre compte, ou payez autrement.',
    limit_exceeded: 'Un plafond de votre compte est dépassé. Essayez-en un autre ou adressez-vous à votre banque.',
    expired_card: 'Ce moyen de paiement a expiré. Essayez-en un autre.',
    method_not_accepted: 'Ce compte ne permet pas ce paiement. Essayez-en un autre, ou payez autrement.',
  },
  methods: {
    card: 'Carte bancaire',
    mobile_money: 'Mobile money',
    sepa_debit: 'Prélèvement SEPA',
    bank_transfer: 'Virement bancaire',
    bank: 'Compte bancaire',
    netbanking: 'Banque en ligne',
    ussd: 'Code USSD par téléphone',
    qr: 'Code QR',
    eft: 'EFT',
    pay_later: 'Payer plus tard',
    cash: 'Espèces',
  },
  redirecting: {
    heading: 'Vous allez être dirigé vers le paiement',
    text: 'La page sécurisée du prestataire de paiement s’ouvre automatiquement. Sinon, utilisez le bouton.',
    continue: 'Continuer vers le paiement',
  },
  resumed: {
    heading: 'Vous avez commencé un paiement',
    text: 'Votre paiement est encore ouvert. Poursuivez-le ou choisissez un autre moyen.',
  },
  collect: {
    otp: { heading: 'Saisissez le code', text: 'Votre banque vous a envoyé un code, le plus souvent par SMS.' },
    pin: {
      heading: 'Saisissez votre code PIN',
      text: 'Votre banque demande le code PIN de votre carte. Il est transmis et n’est pas conservé.',
    },
    phone: {
      heading: 'Saisissez votre numéro de téléphone',
      text: 'Votre banque demande le numéro de téléphone lié à votre compte.',
    },
    birthday: {
      heading: 'Saisissez votre date de naissance',
      text: 'Votre banque la demande pour confirmer qu’il s’agit de vous.',
    },
    address: { heading: 'Saisissez votre adresse', text: 'Votre banque demande l’adresse liée à votre carte.' },
    send: 'Continuer',
  },
  fields: {
    otp: 'Code',
    pin: 'Code PIN',
    phone: 'Numéro de téléphone',
    birthday: 'Date de naissance',
    address: 'Numéro et rue',
    city: 'Ville',
    state: 'État ou région',
    zip_code: 'Code postal',
  },
  display: {
    heading: 'Comment payer',
    text: (amount) =>
      `Payez ${amount} à l’aide de ces informations. Vous pouvez laisser cette page ouverte ou y revenir plus tard.`,
    checkNow: 'J’ai payé : vérifier maintenant',
  },
  displayLabels: {
    account_number: 'Numéro de compte',
    account_name: 'Titulaire du compte',
    bank_name: 'Banque',
    bank_code: 'Code banque',
    branch_code: 'Code guichet',
    reference: 'Référence',
    entity: 'Entité',
    number: 'Numéro',
    ussd_code: 'Composez ce code sur votre téléphone',
    code: 'Code de paiement',
    note: 'Remarque',
    expires_at: 'À payer avant',
    instructions: 'Ouvrir les instructions',
    voucher: 'Ouvrir le bon de paiement',
    qr_image: 'Afficher le code QR',
    app: 'Ouvrir votre application de paiement',
  },
  unsupported: {
    heading: 'Impossible de continuer ici',
    text: 'Ce moyen de paiement demande une étape que cette page ne propose pas. Veuillez en choisir un autre.',
  },
  approve: {
    heading: 'Validez le paiement',
    text: 'Ouvrez votre application bancaire ou de paiement, ou regardez votre téléphone, et validez-y le paiement.',
  },
  processing: {
    heading: 'Votre paiement est en cours de traitement',
    text: 'Cela prend en général quelques secondes, parfois quelques minutes. Ne payez pas une seconde fois.',
  },
  waiting: {
    autoRefresh: (seconds) => `Cette page s’actualise automatiquement toutes les ${seconds} secondes.`,
    paused: 'L’actualisation automatique est désactivée.',
    refreshNow: 'Actualiser maintenant',
    stopRefresh: 'Désactiver l’actualisation automatique',
    resumeRefresh: 'Réactiver l’actualisation automatique',
  },
  payAnotherWay: 'Payer autrement',
  succeeded: {
    heading: 'Merci pour votre paiement',
    text: 'Votre paiement a réussi. Vous pouvez fermer cette page.',
    amount: 'Montant',
    date: 'Date',
    reference: 'Numéro de paiement',
  },
  overpaid: {
    heading: 'Votre paiement vous sera remboursé',
    text:
      'Le montant était déjà payé quand votre paiement est arrivé. Il vous sera remboursé en entier ; vous ' +
      'n’avez rien à faire.',
  },
  failed: {
    heading: 'Votre paiement n’a pas abouti',
    text: 'Vous ne pouvez plus payer ici. Si vous souhaitez encore payer, demandez un nouveau lien au vendeur.',
  },
  stopped: {
    heading: 'Vous avez interrompu le paiement',
    text: 'Il n’est pas terminé. Vous pouvez réessayer, ou payer autrement.',
    here: 'Il n’est pas terminé. Vous pouvez réessayer ici.',
    ifPaid: 'Si vous avez déjà payé, ne payez pas une seconde fois. Vérifiez d’abord :',
  },
  unconfirmed: {
    heading: 'Votre paiement n’est pas encore confirmé',
    text:
      'Le prestataire ne nous a pas encore indiqué son issue. Patientez un instant, puis vérifiez. Ne payez pas ' +
      'une seconde fois avant.',
  },
  refunded: {
    heading: 'Votre paiement a été remboursé',
    text: 'L’argent retourne là d’où il est venu. Selon votre banque, cela peut prendre quelques jours.',
    amount: 'Remboursé',
  },
  review: {
    heading: 'Votre paiement est en cours de vérification',
    text: 'Quelqu’un l’examine. Ne payez pas une seconde fois. Pour toute question, adressez-vous au vendeur.',
  },
  canceled: {
    heading: 'Ce paiement a été annulé',
    text: 'Plus rien ne sera débité. Si vous souhaitez encore payer, recommencez dans la boutique.',
  },
  unfinished: { heading: 'Votre paiement n’est pas encore terminé', text: 'Retournez à la boutique pour continuer.' },
  afterFailure: {
    again: 'Vous pouvez réessayer ici.',
    shop: 'Si vous souhaitez encore payer, recommencez dans la boutique ou adressez-vous au vendeur.',
    invoice: 'Il concerne un abonnement ou une facture. Demandez au vendeur comment le régler.',
  },
  seller: { name: 'Vendeur', questions: 'Une question sur ce paiement ?', back: 'Retour à la boutique' },
  closed: {
    paid: { heading: 'Déjà payé', text: 'Le paiement a été effectué. Il ne reste rien à payer.' },
    completed: {
      heading: 'Ce lien n’accepte plus de paiements',
      text: 'Le nombre maximal de paiements est atteint. Si vous souhaitez payer, demandez un nouveau lien au vendeur.',
    },
    expired: {
      heading: 'Ce lien a expiré',
      text: 'Si vous souhaitez encore payer, demandez un nouveau lien au vendeur.',
    },
    inactive: {
      heading: 'Ce lien n’est plus valable',
      text: 'Le vendeur l’a désactivé. Si vous souhaitez payer, demandez-lui un nouveau lien.',
    },
    busy: {
      heading: 'Quelqu’un d’autre est en train de payer',
      text: 'Si ce paiement n’est pas terminé, vous pourrez payer ici. Réessayez dans quelques minutes.',
    },
    unavailable: {
      heading: 'Ce paiement n’est pas possible pour le moment',
      text:
        'Le vendeur n’a prévu aucun moyen d’accepter ce paiement. Rien n’a été débité. Veuillez ' +
        'contacter le vendeur.',
    },
  },
  expiredOn: (date) => `Il a expiré le ${date}.`,
  errors: {
    400: {
      heading: 'Cela n’a pas fonctionné',
      text: 'Les données envoyées par votre navigateur sont illisibles. Revenez en arrière et réessayez.',
    },
    403: {
      heading: 'Cela n’a pas fonctionné',
      text: 'Cette page est restée ouverte trop longtemps. Ouvrez de nouveau le lien.',
    },
    404: {
      heading: 'Cette page n’existe pas',
      text: 'Vérifiez que l’adresse est complète ou demandez un nouveau lien au vendeur.',
    },
    413: {
      heading: 'Trop de données',
      text: 'Les données envoyées par votre navigateur sont trop volumineuses. Revenez en arrière et réessayez.',
    },
    429: { heading: 'Trop de tentatives', text: 'Trop de demandes sont venues de votre connexion.' },
    500: {
      heading: 'Une erreur s’est produite',
      text:
        'L’erreur vient de nous. Si vous avez déjà payé, ne payez pas de nouveau : ouvrez le lien un peu ' +
        'plus tard.',
    },
  },
  tryAgain: 'Réessayer',
  tryAgainIn: (when) => `Veuillez réessayer ${when}.`,
};
