package signertest

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/signing/signingtest"
)

// Backend tests a key that is held elsewhere, such as by a key management service. fresh returns
// it, as the signer would get it. The signer verifies each signature before it leaves: with a
// backend that fails a test, debits are counted of what was never signed.
func Backend(t *testing.T, fresh func(t *testing.T) signing.Signer) {
	conforms(t, fresh, message, 1, 32, 200, 1167, 1232, 4096) // 1167 is the longest of a v0 transaction
}

// TransactionBackend is Backend for a key that signs messages of transactions alone, and refuses others.
func TransactionBackend(t *testing.T, fresh func(t *testing.T) signing.Signer) {
	conforms(t, fresh, transaction, 250, 600, 1167)
	t.Run("nothing but transactions is signed", func(t *testing.T) {
		key := fresh(t)
		whole := transaction(t, key, 300, 5)
		for _, m := range [][]byte{
			nil, message(t, key, 1, 1), message(t, key, 300, 1), whole[:len(whole)-1], append(whole, 0),
		} {
			_, err := key.Sign(t.Context(), m)
			assert.Error(t, err, "%x", m)
		}
	})
}

// maker makes a message of a length, other than that of any other number.
type maker func(t *testing.T, key signing.Signer, length, number int) []byte

func conforms(t *testing.T, fresh func(t *testing.T) signing.Signer, message maker, lengths ...int) {
	t.Run("signatures of messages of all lengths verify", func(t *testing.T) {
		key := fresh(t)
		for _, length := range lengths {
			signed(t, key, message(t, key, length, length))
		}
	})
	// After a crash between debit and signature the signer knows a transaction by the
	// signature that it would make again.
	t.Run("a message is signed the same each time", func(t *testing.T) {
		key := fresh(t)
		m := message(t, key, 300, 1)
		first, public := signed(t, key, m), key.PublicKey()
		signed(t, key, message(t, key, 300, 2))
		assert.Equal(t, first, signed(t, key, m))
		assert.Equal(t, public, key.PublicKey())
	})
	t.Run("a message is left as it was", func(t *testing.T) {
		key := fresh(t)
		m := message(t, key, 500, 3)
		was := bytes.Clone(m)
		signed(t, key, m)
		assert.Equal(t, was, m)
	})
	t.Run("many ask at once", func(t *testing.T) { manyAtOnce(t, fresh(t), message) })
	t.Run("it ends with its context", func(t *testing.T) { endsWithContext(t, fresh(t), message) })
}

// message is one that is no transaction.
func message(_ *testing.T, _ signing.Signer, length, number int) []byte {
	return bytes.Repeat([]byte{byte(number), byte(number >> 8), 0x80}, length/3+1)[:length]
}

// transaction is the message of one that the key pays for.
func transaction(t *testing.T, key signing.Signer, length, number int) []byte {
	const others = 105 // bytes of a message with 128 or more bytes of data
	tx := signingtest.Transaction{FeePayer: key.PublicKey(), Instructions: []signingtest.Instruction{
		{Program: signingtest.Key("program").PublicKey(), Data: message(t, key, length-others, number)},
	}}
	decoded, err := signing.Decode(tx.Unsigned(t))
	require.NoError(t, err)
	m := decoded.Message()
	require.Len(t, m, length)
	return m
}

// signed signs a message and verifies that.
func signed(t *testing.T, key signing.Signer, m []byte) signing.Signature {
	t.Helper()
	was := slices.Clone(m)
	s, err := key.Sign(t.Context(), m)
	require.NoError(t, err)
	require.True(t, s.Verify(key.PublicKey(), was), "the signature of %d bytes does not verify", len(was))
	return s
}

func manyAtOnce(t *testing.T, key signing.Signer, message maker) {
	failed := make(chan error, 16)
	for i := range cap(failed) {
		m := message(t, key, 400, i+10)
		go func() {
			s, err := key.Sign(t.Context(), m)
			if err == nil && !s.Verify(key.PublicKey(), m) {
				err = fmt.Errorf("message %d has the signature of another", i)
			}
			failed <- err
		}()
	}
	for range cap(failed) {
		assert.NoError(t, <-failed)
	}
}

func endsWithContext(t *testing.T, key signing.Signer, message maker) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	m, good := message(t, key, 250, 4), make(chan bool, 1)
	go func() {
		s, err := key.Sign(ctx, m)
		good <- err != nil || s.Verify(key.PublicKey(), m)
	}()
	select {
	case ok := <-good:
		assert.True(t, ok, "no error, and a signature that does not verify")
	case <-time.After(2 * time.Second):
		t.Error("it does not come back soon after the end of its context")
	}
	signed(t, key, m) // and serves whoever asks next
}
