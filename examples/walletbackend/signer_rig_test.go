package main

import (
	"context"
	"crypto/ed25519"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/examples/walletbackend/internal/demo"
	"github.com/walletfi/walletfi-go/examples/walletbackend/internal/settings"
	"github.com/walletfi/walletfi-go/rpcnode"
	"github.com/walletfi/walletfi-go/sandbox"
	"github.com/walletfi/walletfi-go/signer"
	"github.com/walletfi/walletfi-go/signing/signingtest"
)

// testSigner is a signer in the test's process, on the sandbox's clock, with the demo's policy.
type testSigner struct {
	*signer.Signer
	cfg    signer.Config
	socket string
	end    func() // of serving
}

// startSigner starts one. change are texts of the policy, each followed by what stands in its place.
func startSigner(t *testing.T, box *sandbox.Sandbox, s *settings.Settings, change ...string) *testSigner {
	t.Helper()
	text, err := demo.Policy(t.Context(), box, s.Pins)
	require.NoError(t, err)
	for i := 0; i < len(change); i += 2 {
		require.Contains(t, text, change[i])
	}
	policy, err := signer.ParsePolicy([]byte(strings.NewReplacer(change...).Replace(text)))
	require.NoError(t, err)
	node, err := rpcnode.New(rpcnode.Config{URL: walletSecret(box.URL(sandbox.RPC)), Clock: box.Options().Clock})
	require.NoError(t, err)
	folder, err := os.MkdirTemp("", "s") // short: a socket's path has at most 107 bytes
	require.NoError(t, err)
	t.Cleanup(func() { os.RemoveAll(folder) })
	x := &testSigner{socket: filepath.Join(folder, "s"), cfg: signer.Config{
		Policy: policy, Store: filepath.Join(folder, "signer.db"), Anchor: filepath.Join(folder, "anchor"),
		LogKey: ed25519.NewKeyFromSeed(make([]byte, ed25519.SeedSize)), Seed: signingtest.Key("seed"),
		Nodes: []signer.Node{node}, Clock: box.Options().Clock,
	}}
	x.open(t)
	t.Cleanup(func() { x.end() })
	return x
}

// open serves until end is called.
func (x *testSigner) open(t *testing.T) {
	t.Helper()
	s, err := signer.Open(t.Context(), x.cfg)
	require.NoError(t, err)
	x.Signer = s
	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
	served, watched := make(chan error, 1), make(chan struct{})
	go func() { served <- s.ServeUnix(ctx, x.socket) }()
	go func() {
		defer close(watched)
		s.Watch(ctx)
	}()
	x.end = func() {
		cancel()
		require.NoError(t, <-served)
		<-watched
		require.NoError(t, s.Close())
	}
	require.Eventually(t, func() bool {
		conn, err := net.Dial("unix", x.socket)
		if err == nil {
			_ = conn.Close()
		}
		return err == nil
	}, waitMost, waitEvery)
}
