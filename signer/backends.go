package signer

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"time"

	"filippo.io/age"
	"github.com/walletfi/walletfi-go/signing"
	"golang.org/x/crypto/ssh"
	"golang.org/x/crypto/ssh/agent"
)

// AgeKey reads a key that age has encrypted: a file as solana-keygen writes it, for a
// recipient or a passphrase.
func AgeKey(path string, identities ...age.Identity) (*signing.LocalKey, error) {
	const mostBytes = 64 << 10
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	var key *signing.LocalKey
	plain, err := age.Decrypt(file, identities...)
	if err == nil {
		var text []byte
		text, err = io.ReadAll(io.LimitReader(plain, mostBytes))
		defer clear(text)
		if err == nil {
			key, err = signing.ParseLocalKey(text)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("signer: %s: %w", path, err)
	}
	return key, nil
}

// WriteAgeKey writes a new random key to a file that must not exist, encrypted for recipients,
// and returns its public key.
func WriteAgeKey(path string, recipients ...age.Recipient) (signing.PublicKey, error) {
	public, private, err := ed25519.GenerateKey(nil)
	if err != nil {
		return signing.PublicKey{}, err
	}
	defer clear(private)
	var sealed bytes.Buffer
	w, err := age.Encrypt(&sealed, recipients...)
	if err != nil {
		return signing.PublicKey{}, err
	}
	numbers := make([]byte, 0, 5*len(private))
	for i, b := range private {
		numbers = fmt.Appendf(numbers, "%c%d", "[,"[min(i, 1)], b)
	}
	numbers = append(numbers, ']')
	defer clear(numbers)
	if _, err := w.Write(numbers); err != nil {
		return signing.PublicKey{}, err
	}
	if err := w.Close(); err != nil {
		return signing.PublicKey{}, err
	}
	file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return signing.PublicKey{}, err
	}
	_, err = file.Write(sealed.Bytes())
	return signing.PublicKey(public), errors.Join(err, file.Sync(), file.Close())
}

// AgentKey is an ed25519 key that an OpenSSH agent holds. It dials the agent for each
// signature, so that an agent which was started again serves too.
type AgentKey struct {
	socket string
	public ssh.PublicKey
	key    signing.PublicKey
}

// agentTimeout bounds one question to an agent.
const agentTimeout = 10 * time.Second

// AgentKeys lists the ed25519 keys of the OpenSSH agent at a socket.
func AgentKeys(ctx context.Context, socket string) (keys []*AgentKey, err error) {
	err = withAgent(ctx, socket, func(a agent.ExtendedAgent) error {
		listed, err := a.List()
		if err != nil {
			return err
		}
		for _, l := range listed {
			public, err := ssh.ParsePublicKey(l.Blob)
			if err != nil || public.Type() != ssh.KeyAlgoED25519 {
				continue
			}
			raw, ok := public.(ssh.CryptoPublicKey).CryptoPublicKey().(ed25519.PublicKey)
			if ok {
				keys = append(keys, &AgentKey{socket, public, signing.PublicKey(raw)})
			}
		}
		return nil
	})
	return keys, err
}

// PublicKey is the key's address.
func (k *AgentKey) PublicKey() signing.PublicKey { return k.key }

// Sign asks the agent.
func (k *AgentKey) Sign(ctx context.Context, message []byte) (signature signing.Signature, err error) {
	err = withAgent(ctx, k.socket, func(a agent.ExtendedAgent) error {
		made, err := a.Sign(k.public, message)
		if err != nil {
			return err
		}
		if made.Format != ssh.KeyAlgoED25519 || len(made.Blob) != len(signature) {
			return fmt.Errorf("the agent's signature is a %.30q of %d bytes", made.Format, len(made.Blob))
		}
		signature = signing.Signature(made.Blob)
		return nil
	})
	return signature, err
}

// withAgent speaks to an agent until ctx ends or it takes too long.
func withAgent(ctx context.Context, socket string, f func(agent.ExtendedAgent) error) error {
	ctx, cancel := context.WithTimeout(ctx, agentTimeout)
	defer cancel()
	conn, err := new(net.Dialer).DialContext(ctx, "unix", socket)
	if err != nil {
		return fmt.Errorf("signer: the agent: %w", err)
	}
	defer conn.Close()
	stop := context.AfterFunc(ctx, func() { _ = conn.Close() })
	defer stop()
	if err := f(agent.NewClient(conn)); err != nil {
		return errors.Join(fmt.Errorf("signer: the agent: %w", err), ctx.Err())
	}
	return nil
}
