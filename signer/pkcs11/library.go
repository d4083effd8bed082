package pkcs11

import (
	"errors"
	"slices"

	cryptoki "github.com/miekg/pkcs11"
)

// Names of version 3.0 that the bindings do not have.
const (
	mechanismEdDSA   = 0x1057 // CKM_EDDSA; without parameters it is Ed25519 as in RFC 8032
	mechanismMakeKey = 0x1055 // CKM_EC_EDWARDS_KEY_PAIR_GEN
	typeEdwards      = 0x40   // CKK_EC_EDWARDS
)

// library are the calls of a PKCS#11 library that are made.
type library interface {
	Initialize(...cryptoki.InitializeOption) error
	Finalize() error
	GetSlotList(tokenPresent bool) ([]uint, error)
	GetTokenInfo(slot uint) (cryptoki.TokenInfo, error)
	OpenSession(slot, flags uint) (cryptoki.SessionHandle, error)
	CloseSession(cryptoki.SessionHandle) error
	Login(session cryptoki.SessionHandle, user uint, pin string) error
	FindObjectsInit(cryptoki.SessionHandle, []*cryptoki.Attribute) error
	FindObjects(session cryptoki.SessionHandle, most int) ([]cryptoki.ObjectHandle, bool, error)
	FindObjectsFinal(cryptoki.SessionHandle) error
	GetAttributeValue(
		cryptoki.SessionHandle, cryptoki.ObjectHandle, []*cryptoki.Attribute,
	) ([]*cryptoki.Attribute, error)
	GenerateKeyPair(
		session cryptoki.SessionHandle, how []*cryptoki.Mechanism, public, private []*cryptoki.Attribute,
	) (cryptoki.ObjectHandle, cryptoki.ObjectHandle, error)
	SignInit(cryptoki.SessionHandle, []*cryptoki.Mechanism, cryptoki.ObjectHandle) error
	Sign(session cryptoki.SessionHandle, message []byte) ([]byte, error)
}

// load loads a library; tests wrap it.
var load = func(path string) (library, error) {
	c := cryptoki.New(path)
	if c == nil {
		return nil, errors.New("it is not a PKCS#11 library that this process can load")
	}
	return c, nil
}

// is says whether an error is one of these codes of a token.
func is(err error, codes ...uint) bool {
	code, ok := errors.AsType[cryptoki.Error](err)
	return ok && slices.Contains(codes, uint(code))
}

// lost says whether a session must be made again before there can be an answer. Some libraries
// say so by codes that can mean other things: then the repeated call fails as well.
func lost(err error) bool {
	return is(err, cryptoki.CKR_SESSION_HANDLE_INVALID, cryptoki.CKR_SESSION_CLOSED, cryptoki.CKR_DEVICE_REMOVED,
		cryptoki.CKR_DEVICE_ERROR, cryptoki.CKR_TOKEN_NOT_PRESENT, cryptoki.CKR_SLOT_ID_INVALID,
		cryptoki.CKR_USER_NOT_LOGGED_IN, cryptoki.CKR_CRYPTOKI_NOT_INITIALIZED, cryptoki.CKR_OPERATION_ACTIVE,
		cryptoki.CKR_KEY_HANDLE_INVALID, cryptoki.CKR_OBJECT_HANDLE_INVALID, cryptoki.CKR_GENERAL_ERROR)
}

// wrongPIN says whether a token did not take a PIN.
func wrongPIN(err error) bool {
	return is(err, cryptoki.CKR_PIN_INCORRECT, cryptoki.CKR_PIN_INVALID, cryptoki.CKR_PIN_LEN_RANGE,
		cryptoki.CKR_PIN_EXPIRED, cryptoki.CKR_PIN_LOCKED)
}
