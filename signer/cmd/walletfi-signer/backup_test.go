package main

import (
	"crypto/tls"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signer/client"
	"github.com/walletfi/walletfi-go/signing"
)

// administered is a place whose admin is this process's user, and whose client comes over TLS.
type administered struct {
	*place
	tls     *tls.Config
	address string
}

func newAdministered(t *testing.T) *administered { return administer(t, sealed(t)) }

func administer(t *testing.T, of *place) *administered {
	p := &administered{place: of}
	_, server := p.certificate(t, "server")
	desk, _ := p.certificate(t, "desk")
	policy, err := os.ReadFile(p.path("policy.toml"))
	require.NoError(t, err)
	changed := strings.NewReplacer(fmt.Sprintf("admins = [%d]", os.Getuid()+1), fmt.Sprintf("admins = [%d]", os.Getuid()),
		fmt.Sprintf("uid = %d", os.Getuid()), `certificate = "desk"`).Replace(string(policy))
	require.NoError(t, os.WriteFile(p.path("policy.toml"), []byte(changed), 0o600))
	p.serve = append(p.serve, "--listen", "127.0.0.1:0", "--tls-cert", p.path("server.pem"), "--tls-key", p.path("server.key"),
		"--tls-clients", p.path("desk.pem"))
	p.tls = &tls.Config{RootCAs: server, Certificates: []tls.Certificate{desk}}
	return p
}

// begin starts the signer, and returns a client of it.
func (p *administered) begin(t *testing.T) (*exec.Cmd, *client.Client) {
	process := p.start(t)
	said, err := os.ReadFile(p.path("out"))
	require.NoError(t, err)
	p.address = regexp.MustCompile(`127\.0\.0\.1:\d+`).FindString(string(said))
	c, err := client.DialTLS(t.Context(), p.address, p.tls, "bot")
	require.NoError(t, err, string(said))
	return process, c
}

func (p *administered) admin(t *testing.T, args ...string) (string, int) {
	return command(t, "", append(args, "--socket", p.path("s"))...)
}

// TestBackup has copies made while the signer signs and is killed. The oldest one takes the store's
// place: it is frozen, and thawed signs nothing within the window.
func TestBackup(t *testing.T) {
	p := newAdministered(t)
	process, c := p.begin(t)
	_, err := c.SignSet(t.Context(), p.pay(t, 900_000_000))
	require.NoError(t, err)
	out, status := p.admin(t, "backup", p.path("first"))
	require.Zero(t, status, out)
	assert.Contains(t, out, "entries=")
	info, err := os.Stat(p.path("first"))
	require.NoError(t, err)
	assert.Equal(t, os.FileMode(0o600), info.Mode())
	for i := range 2 {
		_, err = c.SignSet(t.Context(), p.pay(t, 900_000_001+walletfi.Amount(i)))
		require.NoError(t, err)
	}
	var copying sync.WaitGroup
	made := make(chan int, 1000)
	for i := range 2 {
		copying.Go(func() {
			for n := 0; ; n++ {
				name := p.path(fmt.Sprint("many", i, ".", n))
				if _, status := p.admin(t, "backup", name); status != 0 {
					assert.NoFileExists(t, name)
					return
				}
				made <- n
			}
		})
	}
	for range 3 {
		<-made
	}
	require.NoError(t, process.Process.Kill())
	require.Error(t, process.Wait())
	copying.Wait()
	c.Close()
	parts, err := filepath.Glob(p.path(".backup*"))
	require.NoError(t, err)
	assert.Empty(t, parts)

	process, c = p.begin(t) // on the store that was there
	_, err = c.SignSet(t.Context(), p.pay(t, 900_000_003))
	require.ErrorIs(t, err, signing.ErrWaits)
	out, status = p.admin(t, "backup", p.path("last"))
	require.Zero(t, status, out)
	assert.NoFileExists(t, p.path("store.db.copy"))
	require.NoError(t, process.Process.Signal(os.Interrupt))
	require.NoError(t, process.Wait())
	c.Close()

	restore := []string{"restore", p.path("first"), "--store", p.path("store.db"), "--log-public", p.logPublic}
	out, status = command(t, "", restore...)
	require.Equal(t, 1, status)
	assert.Contains(t, out, "move it away")
	require.NoError(t, os.Rename(p.path("store.db"), p.path("old.db")))
	for _, left := range []string{"store.db.restored", "store.db.restored-wal"} { // of a restore that was killed
		require.NoError(t, os.WriteFile(p.path(left), []byte("half"), 0o600))
	}
	out, status = command(t, "", restore...)
	require.Zero(t, status, out)
	assert.NoFileExists(t, p.path("store.db.restored-wal"))
	process, c = p.begin(t)
	defer c.Close()
	_, err = c.SignSet(t.Context(), p.pay(t, 1))
	require.ErrorContains(t, err, "frozen")
	out, status = p.admin(t, "thaw", "--reason", "restored")
	require.Zero(t, status, out)
	_, err = c.SignSet(t.Context(), p.pay(t, 1))
	require.ErrorContains(t, err, "would leave within 1h")
	require.NoError(t, process.Process.Signal(os.Interrupt))
	require.NoError(t, process.Wait())
	out, status = command(t, "", "audit", "verify", "--store", p.path("store.db"), "--anchor", p.path("anchor"),
		"--log-public", p.logPublic)
	require.Zero(t, status, out)
}
