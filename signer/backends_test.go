package signer_test

import (
	"context"
	"crypto/ed25519"
	"errors"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"filippo.io/age"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go/signer"
	"github.com/walletfi/walletfi-go/signer/signertest"
	"github.com/walletfi/walletfi-go/signing"
	"golang.org/x/crypto/ssh/agent"
)

func TestAgeKey(t *testing.T) {
	path := filepath.Join(t.TempDir(), "key.age")
	identity, err := age.GenerateX25519Identity()
	require.NoError(t, err)
	public, err := signer.WriteAgeKey(path, identity.Recipient())
	require.NoError(t, err)
	key, err := signer.AgeKey(path, identity)
	require.NoError(t, err)
	assert.Equal(t, public, key.PublicKey())
	signertest.Backend(t, func(*testing.T) signing.Signer { return key })

	other, err := age.GenerateX25519Identity()
	require.NoError(t, err)
	_, err = signer.AgeKey(path, other)
	require.Error(t, err)
	_, err = signer.WriteAgeKey(path, identity.Recipient())
	require.ErrorIs(t, err, os.ErrExist, "a key is never overwritten")
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	text[len(text)-1] ^= 1
	require.NoError(t, os.WriteFile(path, text, 0o600))
	_, err = signer.AgeKey(path, identity)
	require.Error(t, err, "a file that was changed")
	info, err := os.Stat(path)
	require.NoError(t, err)
	assert.Equal(t, os.FileMode(0o600), info.Mode().Perm())
}

// sshAgent starts OpenSSH's agent with a key.
func sshAgent(t *testing.T, private ed25519.PrivateKey) (socket string) {
	program, err := exec.LookPath("ssh-agent")
	if err != nil {
		t.Fatal("ssh-agent is required: install openssh-client")
	}
	socket = filepath.Join(t.TempDir(), "agent")
	command := exec.CommandContext(t.Context(), program, "-D", "-a", socket)
	require.NoError(t, command.Start())
	t.Cleanup(func() {
		_ = command.Process.Kill()
		_ = command.Wait()
	})
	var conn net.Conn
	require.Eventually(t, func() bool {
		conn, err = net.Dial("unix", socket)
		return err == nil
	}, 5*time.Second, time.Millisecond)
	defer conn.Close()
	require.NoError(t, agent.NewClient(conn).Add(agent.AddedKey{PrivateKey: private}))
	return socket
}

func TestAgentKey(t *testing.T) {
	public, private, err := ed25519.GenerateKey(nil)
	require.NoError(t, err)
	keys, err := signer.AgentKeys(t.Context(), sshAgent(t, private))
	require.NoError(t, err)
	require.Len(t, keys, 1)
	assert.Equal(t, public, ed25519.PublicKey(bytesOf(keys[0].PublicKey())))
	signertest.Backend(t, func(*testing.T) signing.Signer { return keys[0] })
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = keys[0].Sign(ended, []byte("message"))
	require.ErrorIs(t, err, context.Canceled)
}

func bytesOf[T ~[32]byte](k T) []byte { return k[:] }

// TestAgentsThatMisbehave: an agent that does not answer, or closes, is an error in time.
func TestAgentsThatMisbehave(t *testing.T) {
	for name, serve := range map[string]func(net.Conn){
		"closes":        func(c net.Conn) { _ = c.Close() },
		"says nonsense": func(c net.Conn) { _, _ = c.Write([]byte{0, 0, 0, 1, 255}); _ = c.Close() },
		"says nothing":  func(net.Conn) {},
	} {
		t.Run(name, func(t *testing.T) {
			socket := filepath.Join(t.TempDir(), "agent")
			listener, err := net.Listen("unix", socket)
			require.NoError(t, err)
			var held []net.Conn
			done := make(chan struct{})
			go func() {
				defer close(done)
				for {
					conn, err := listener.Accept()
					if err != nil {
						return
					}
					held = append(held, conn)
					serve(conn)
				}
			}()
			ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
			defer cancel()
			_, err = signer.AgentKeys(ctx, socket)
			require.Error(t, err)
			if name == "says nothing" {
				assert.True(t, errors.Is(err, context.DeadlineExceeded))
			}
			require.NoError(t, listener.Close())
			<-done
			for _, conn := range held {
				_ = conn.Close()
			}
		})
	}
	_, err := signer.AgentKeys(t.Context(), filepath.Join(t.TempDir(), "none"))
	require.Error(t, err)
}
