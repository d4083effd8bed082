// Package pkcs11 signs with ed25519 keys that a hardware security module or another PKCS#11
// token holds and does not give out. A [Key] is a signing.Signer, such as the signer's
// Config.Keys are.
//
//	token, err := pkcs11.Open(ctx, pkcs11.Config{
//		Module: "/usr/lib/softhsm/libsofthsm2.so", Token: "walletfi", PIN: pin,
//	})
//	if err != nil {
//		return err
//	}
//	defer token.Close()
//	key, err := token.Key(ctx, pkcs11.Name{Label: "bot"})
//
// The command walletfi-signer-pkcs11 is the signer's program with such keys. The package needs
// cgo and a C compiler. It is tested with SoftHSM 2.6, and with no hardware.
//
// # A lost session
//
// If the session, the device or the token was lost, the library is started again, which includes a
// login, and the call is repeated once. The token must have the serial number that it had. Repeating
// is safe: an ed25519 signature of a message is the same each time.
//
// # A wrong PIN
//
// Tokens lock after a few wrong PINs. A PIN that the token did not take is [ErrPIN], and no call
// of that [Token] sends it again. It is not sent at all if the token says that it is locked or that
// one more wrong PIN locks it.
//
// # Calls that do not come back
//
// Calls to a token are made one after another, over one session. A call into the library cannot be
// stopped: if its context ends first, what it answers later is dropped, and the next callers
// wait until it has come back, each until its own context ends, and never longer than ten seconds.
package pkcs11
