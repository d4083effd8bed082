package pkcs11_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	cryptoki "github.com/miekg/pkcs11"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signer/pkcs11"
)

const (
	softHSM = "/usr/lib/softhsm/libsofthsm2.so" // Debian's
	pin     = "52901"
)

// rig is a new token of SoftHSM, and what the library is asked for.
type rig struct {
	pkcs11.Library
	raw *cryptoki.Ctx // the library itself
	cfg pkcs11.Config
	dir string // of the tokens

	mu    sync.Mutex
	calls map[string]int
	fails map[string][]error // what a call answers in the place of the library's
	flags uint               // that the token has beside its own
	hold  chan struct{}      // Sign waits until it is closed
}

func newRig(t *testing.T) *rig {
	dir := t.TempDir()
	r := &rig{dir: filepath.Join(dir, "tokens"), calls: map[string]int{}, fails: map[string][]error{}}
	require.NoError(t, os.Mkdir(r.dir, 0o700))
	conf := filepath.Join(dir, "conf")
	require.NoError(t, os.WriteFile(conf, []byte("directories.tokendir = "+r.dir+"\nlog.level = ERROR\n"), 0o600))
	t.Setenv("SOFTHSM2_CONF", conf)
	initToken(t)
	r.cfg = pkcs11.Config{Module: softHSM, Token: "walletfi", PIN: walletfi.NewSecret(pin)}
	pkcs11.Wrap(t, func(l pkcs11.Library) pkcs11.Library {
		r.Library, r.raw = l, l.(*cryptoki.Ctx)
		return r
	})
	return r
}

// initToken makes a token labelled walletfi.
func initToken(t *testing.T) {
	out, err := exec.Command("softhsm2-util", "--init-token", "--free", "--label", "walletfi", "--pin", pin,
		"--so-pin", "87654321").CombinedOutput()
	require.NoError(t, err, "install softhsm2: %s", out)
}

func (r *rig) open(t *testing.T) *pkcs11.Token {
	token, err := pkcs11.Open(t.Context(), r.cfg)
	require.NoError(t, err)
	t.Cleanup(func() { _ = token.Close() })
	return token
}

// withKey opens the token and makes a key.
func (r *rig) withKey(t *testing.T) *pkcs11.Key {
	key, err := r.open(t).Make(t.Context(), "bot")
	require.NoError(t, err)
	return key
}

// called counts a call, and answers the failure that it is to have.
func (r *rig) called(name string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.calls[name]++
	if left := r.fails[name]; len(left) > 0 {
		r.fails[name] = left[1:]
		return left[0]
	}
	return nil
}

func (r *rig) count(name string) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.calls[name]
}

func (r *rig) Login(session cryptoki.SessionHandle, user uint, pin string) error {
	if err := r.called("Login"); err != nil {
		return err
	}
	return r.Library.Login(session, user, pin)
}

func (r *rig) GetTokenInfo(slot uint) (cryptoki.TokenInfo, error) {
	info, err := r.Library.GetTokenInfo(slot)
	info.Flags |= r.flags
	return info, err
}

func (r *rig) SignInit(
	session cryptoki.SessionHandle, how []*cryptoki.Mechanism, key cryptoki.ObjectHandle,
) error {
	if err := r.called("SignInit"); err != nil {
		return err
	}
	return r.Library.SignInit(session, how, key)
}

func (r *rig) Sign(session cryptoki.SessionHandle, message []byte) ([]byte, error) {
	r.mu.Lock()
	hold := r.hold
	r.mu.Unlock()
	if hold != nil {
		<-hold
	}
	return r.Library.Sign(session, message)
}

func (r *rig) GenerateKeyPair(
	session cryptoki.SessionHandle, how []*cryptoki.Mechanism, public, private []*cryptoki.Attribute,
) (a, b cryptoki.ObjectHandle, err error) {
	if err := r.called("GenerateKeyPair"); err != nil {
		return a, b, err
	}
	return r.Library.GenerateKeyPair(session, how, public, private)
}

// session is one that may write, of the login that the token has.
func (r *rig) session(t *testing.T) cryptoki.SessionHandle {
	slots, err := r.raw.GetSlotList(true)
	require.NoError(t, err)
	for _, slot := range slots {
		if info, err := r.raw.GetTokenInfo(slot); err == nil && info.Label == r.cfg.Token {
			session, err := r.raw.OpenSession(slot, cryptoki.CKF_SERIAL_SESSION|cryptoki.CKF_RW_SESSION)
			require.NoError(t, err)
			return session
		}
	}
	require.Fail(t, "no token")
	return 0
}

// closeSessions closes all sessions behind the Token's back.
func (r *rig) closeSessions(t *testing.T) {
	info, err := r.raw.GetSessionInfo(r.session(t))
	require.NoError(t, err)
	require.NoError(t, r.raw.CloseAllSessions(info.SlotID))
}

// objects lists the token's objects of a class and label.
func (r *rig) objects(t *testing.T, session cryptoki.SessionHandle, class uint, label string) []cryptoki.ObjectHandle {
	require.NoError(t, r.raw.FindObjectsInit(session, []*cryptoki.Attribute{
		cryptoki.NewAttribute(cryptoki.CKA_CLASS, class), cryptoki.NewAttribute(cryptoki.CKA_LABEL, label),
	}))
	all, _, err := r.raw.FindObjects(session, 100)
	require.NoError(t, err)
	require.NoError(t, r.raw.FindObjectsFinal(session))
	return all
}

// generate makes a pair with attributes of the private key that differ from those of Make.
func (r *rig) generate(t *testing.T, label, id string, differ map[uint]bool) {
	has := map[uint]bool{
		cryptoki.CKA_PRIVATE: true, cryptoki.CKA_SENSITIVE: true, cryptoki.CKA_EXTRACTABLE: false,
		cryptoki.CKA_ALWAYS_AUTHENTICATE: false,
	}
	private := []*cryptoki.Attribute{
		cryptoki.NewAttribute(cryptoki.CKA_TOKEN, true), cryptoki.NewAttribute(cryptoki.CKA_SIGN, true),
		cryptoki.NewAttribute(cryptoki.CKA_LABEL, label), cryptoki.NewAttribute(cryptoki.CKA_ID, id),
	}
	for kind, value := range has {
		if other, ok := differ[kind]; ok {
			value = other
		}
		private = append(private, cryptoki.NewAttribute(kind, value))
	}
	_, _, err := r.raw.GenerateKeyPair(r.session(t), []*cryptoki.Mechanism{cryptoki.NewMechanism(0x1055, nil)},
		[]*cryptoki.Attribute{
			cryptoki.NewAttribute(cryptoki.CKA_EC_PARAMS, []byte{0x06, 0x03, 0x2b, 0x65, 0x70}),
			cryptoki.NewAttribute(cryptoki.CKA_TOKEN, true), cryptoki.NewAttribute(cryptoki.CKA_PRIVATE, false),
			cryptoki.NewAttribute(cryptoki.CKA_LABEL, label), cryptoki.NewAttribute(cryptoki.CKA_ID, id),
		}, private)
	require.NoError(t, err)
}
