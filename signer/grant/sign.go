package grant

import (
	"bytes"
	"crypto/ed25519"
	"errors"
	"fmt"
	"strings"

	"filippo.io/edwards25519"
	"github.com/hiddeco/sshsig"
	"golang.org/x/crypto/ssh"
)

// The namespaces of the signatures: no signature of a login, of a file or of a commit approves, and
// no approval is a denial. See PROTOCOL.sshsig of OpenSSH.
const (
	approval = "walletfi-approval"
	denial   = "walletfi-denial"
)

// Verdict says whether an approver lets a grant be used.
type Verdict string

// The verdicts.
const (
	Approves Verdict = "approves"
	Denies   Verdict = "denies"
)

func (v Verdict) namespace() (string, error) {
	namespace, ok := map[Verdict]string{Approves: approval, Denies: denial}[v]
	if !ok {
		return "", fmt.Errorf("grant: %q is no verdict", string(v))
	}
	return namespace, nil
}

// ParseKey reads an approver's key as a .pub file of OpenSSH has it: an ed25519 key.
func ParseKey(line string) (ssh.PublicKey, error) {
	key, _, options, rest, err := ssh.ParseAuthorizedKey([]byte(line))
	switch {
	case err != nil:
		return nil, fmt.Errorf("grant: %.80q is no key of OpenSSH's: %w", line, err)
	case len(options) > 0 || strings.TrimSpace(string(rest)) != "":
		return nil, fmt.Errorf("grant: %.80q is more than one key", line)
	}
	return key, usable(key)
}

// usable refuses a key that is no ed25519 key, and one of low order: anybody can make a signature that
// such a key agrees to, over any text.
func usable(key ssh.PublicKey) error {
	if t := key.Type(); t != ssh.KeyAlgoED25519 {
		return fmt.Errorf("grant: an approver's key is an ed25519 one, not %s", t)
	}
	parsed, err := ssh.ParsePublicKey(key.Marshal()) // an agent's own kind of key shows only this
	if err != nil {
		return fmt.Errorf("grant: an approver's key: %w", err)
	}
	encoded, _ := parsed.(ssh.CryptoPublicKey).CryptoPublicKey().(ed25519.PublicKey)
	point, err := new(edwards25519.Point).SetBytes(encoded)
	switch {
	case err != nil || !bytes.Equal(point.Bytes(), encoded):
		return errors.New("grant: an approver's key is no point of the curve, or not written as one is")
	case new(edwards25519.Point).MultByCofactor(point).Equal(edwards25519.NewIdentityPoint()) == 1:
		return errors.New("grant: an approver's key has a low order, so that anybody can sign for it")
	}
	return nil
}

// Sign signs the grant's text with an approver's key, such as one of an agent's. The signature is
// the one that `ssh-keygen -Y sign` makes.
func (g *Grant) Sign(by ssh.Signer, v Verdict) (armored string, err error) {
	return sign(g.Text(), by, v)
}

// Verify returns which of the keys has signed the grant's text, and what that says.
func (g *Grant) Verify(armored string, keys []ssh.PublicKey) (key int, v Verdict, err error) {
	return verify(g.Text(), armored, keys)
}

func sign(text string, by ssh.Signer, v Verdict) (armored string, err error) {
	namespace, err := v.namespace()
	if err == nil {
		err = usable(by.PublicKey())
	}
	if err != nil {
		return "", err
	}
	made, err := sshsig.Sign(strings.NewReader(text), by, sshsig.HashSHA512, namespace)
	if err != nil {
		return "", fmt.Errorf("grant: the approver's key: %w", err)
	}
	return string(sshsig.Armor(made)), nil
}

// maxSignature is the most bytes of a signature, which has about 300.
const maxSignature = 4 << 10

// errOther is the error of a signature that is of none of the keys.
var errOther = errors.New("grant: the signature is of no approver")

func verify(text, armored string, keys []ssh.PublicKey) (key int, v Verdict, err error) {
	if len(armored) > maxSignature {
		return 0, "", fmt.Errorf("grant: a signature has at most %d bytes", maxSignature)
	}
	made, err := sshsig.Unarmor([]byte(armored))
	if err != nil {
		return 0, "", fmt.Errorf("grant: the signature: %w", err)
	}
	err = errOther
	for i, k := range keys {
		if string(k.Marshal()) != string(made.PublicKey.Marshal()) || usable(k) != nil {
			continue
		}
		for _, v := range []Verdict{Approves, Denies} {
			namespace, _ := v.namespace()
			if made.Namespace != namespace {
				continue
			}
			if err = sshsig.Verify(strings.NewReader(text), made, k, made.HashAlgorithm, namespace); err == nil {
				return i, v, nil
			}
		}
	}
	return 0, "", fmt.Errorf("%w, or not over this text as one", err)
}
