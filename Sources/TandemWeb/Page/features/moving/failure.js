import { banner, safeText } from '../../kit/index.js';
import { ownText } from '../../kit/failure.js';
import { plainText } from '../../kit/safe.js';
import { hasText, t } from '../../i18n/index.js';

/** Reasons that are one thing to a person: the package is damaged, the disk does not work, the programs do not fit. */
const SAME = {
    damagedManifest: 'damagedPackage', trailingData: 'damagedPackage', manifestTooLarge: 'damagedPackage', unsupportedKDFParameters: 'damagedPackage', impossibleSize: 'damagedPackage',
    notAnArchive: 'damagedPackage', damagedArchive: 'damagedPackage', hostileArchive: 'damagedPackage', encryptedArchive: 'damagedPackage', archiveTooLarge: 'packageTooLarge',
    truncatedArchive: 'truncatedPackage', badRecord: 'damagedPackage', duplicateRecord: 'damagedPackage', danglingRecord: 'damagedPackage', categoryCycle: 'damagedPackage', unknownParent: 'damagedPackage',
    malformedMessage: 'otherVersion', messageTooLarge: 'otherVersion', legacyPINRefused: 'otherVersion', unsupportedPackage: 'needsAppUpdate', needsUpdate: 'needsAppUpdate', schemaUnclear: 'damagedPackage',
    schemaVersionsDiffer: 'unexpectedMessage', dataTooOld: 'schemaTooOld', restoreUnderWay: 'restoreBusy', restoreNotReady: 'migrateNothingReady',
    nothingToUndo: 'migrateNothingToUndo', diskNotWritable: 'diskFailed', badPath: 'diskFailed', storeEmpty: 'storeDamaged', commitUnsettled: 'storeDamaged', storeFailed: 'diskFailed', notPutIntoPlace: 'migrateNotPutIntoPlace',
};

/**
 * What happened and what to do, in the page's language; null where the page knows no sentence for the reason.
 *
 * @param {string | null | undefined} reason The program's word.
 * @param {Object<string, any>} values
 * @returns {{text: string, detail: string} | null}
 */
export function sentenceOf(reason, values = {}) {
    const key = `moving.reason.${SAME[reason] ?? reason}`;
    if (!reason || !hasText(key)) return null;
    const plain = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, typeof value === 'string' ? plainText(value, 200) : value]));
    return { text: t(key, plain), detail: t(`${key}.do`, plain) };
}

/**
 * A failure of a move, or what it waits for: the page's sentence with what to do, else the program's own.
 *
 * @param {{reason: string | null, message: string, values: Object<string, any>}} failure
 * @param {{kind?: 'bad' | 'warn' | 'offline', actions?: Node[], safe?: string | null}} options `safe`: what is still as it was.
 */
export function failureBanner({ reason, message, values }, { kind = 'bad', actions = [], safe = null } = {}) {
    const own = sentenceOf(reason, values);
    // The other phone's word for its reason is a failure, too.
    const there = reason === 'migrateNotRestored' ? sentenceOf(values.code) : null;
    const said = own ? [there && `${there.text}${t('common.stop')}`, own.detail] : [safeText(message, { limit: 600 })];
    return banner({
        kind, text: own?.text ?? t('moving.stopped'), actions,
        detail: [...said, safe && `${t('common.gap')}${safe}`],
    });
}

/**
 * What a call of this screen was refused with.
 *
 * @param {import('../../client/client.js').Failure} error
 */
export function refusalBanner(error) {
    const { reason = null, values = {} } = error?.detail ?? {};
    if (sentenceOf(reason, values)) return failureBanner({ reason, message: error.message, values });
    return banner({ kind: 'bad', text: ownText(error), detail: error?.message ? safeText(error.message, { limit: 600 }) : null });
}

/** The same in one line, for a field. */
export function refusalText(error) {
    const { reason, values } = error?.detail ?? {};
    return lineOf(reason, values) ?? ownText(error);
}

/** A sentence and what to do in one line; null where the page knows none. */
export function lineOf(reason, values) {
    const own = sentenceOf(reason, values);
    return own && `${own.text}${t('common.stop')}${own.detail}`;
}
