package main

import (
	"context"
	"crypto/ed25519"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/rpcnode"
	"github.com/walletfi/walletfi-go/signer"
	"github.com/walletfi/walletfi-go/signing"
)

// demoSigner is the signer of the demo, a process of its own: see runDemoSigner.
type demoSigner struct {
	socket string
	folder string
	stop   io.Closer // its input, with which it ends
	ended  chan error
}

// startDemoSigner starts this program again as the demo's signer. The users' keys are derived from a
// file in the data folder, which only that process reads.
func startDemoSigner(ctx context.Context, policy, node, data string, log io.Writer) (*demoSigner, error) {
	folder, err := os.MkdirTemp("", "signer") // short: a socket's path has at most 107 bytes
	if err != nil {
		return nil, err
	}
	d := &demoSigner{socket: filepath.Join(folder, "socket"), folder: folder, ended: make(chan error, 1)}
	if err := d.start(ctx, policy, node, data, log); err != nil {
		return nil, errors.Join(fmt.Errorf("the demo's signer: %w", err), os.RemoveAll(folder))
	}
	return d, nil
}

func (d *demoSigner) start(ctx context.Context, policy, node, data string, log io.Writer) error {
	for name, text := range map[string]string{"policy.toml": policy, "nodes.txt": node} {
		if err := os.WriteFile(filepath.Join(d.folder, name), []byte(text), 0o600); err != nil {
			return err
		}
	}
	command := exec.CommandContext(ctx, os.Args[0], "demo-signer", d.folder, filepath.Join(data, "signer.seed"))
	command.Stderr = log
	var err error
	if d.stop, err = command.StdinPipe(); err != nil {
		return err
	}
	if err := command.Start(); err != nil {
		return err
	}
	go func() { d.ended <- command.Wait() }()
	for {
		if conn, err := net.Dial("unix", d.socket); err == nil {
			return conn.Close()
		}
		select {
		case err := <-d.ended:
			return errors.Join(errors.New("it did not start"), err)
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// Close ends the process.
func (d *demoSigner) Close() error {
	_ = d.stop.Close()
	<-d.ended
	return os.RemoveAll(d.folder)
}

// runDemoSigner serves a folder's policy until in ends. It stands in for walletfi-signer: its log is
// signed by a key that is forgotten at the end, as the sandbox's ledger is.
func runDemoSigner(ctx context.Context, arguments []string, in io.Reader) error {
	if len(arguments) != 2 {
		return errors.New("demo-signer is started by the demo itself")
	}
	folder, seedFile := arguments[0], arguments[1]
	seed, err := readSeed(seedFile)
	if err != nil {
		return err
	}
	policy, err := signer.LoadPolicy(filepath.Join(folder, "policy.toml"))
	if err != nil {
		return err
	}
	url, err := os.ReadFile(filepath.Join(folder, "nodes.txt"))
	if err != nil {
		return err
	}
	node, err := rpcnode.New(rpcnode.Config{URL: walletfi.NewSecret(strings.TrimSpace(string(url)))})
	if err != nil {
		return err
	}
	_, logKey, err := ed25519.GenerateKey(nil)
	if err != nil {
		return err
	}
	s, err := signer.Open(ctx, signer.Config{
		Policy: policy, Store: filepath.Join(folder, "signer.db"), Anchor: filepath.Join(folder, "signer.anchor"),
		LogKey: logKey, Seed: seed, Nodes: []signer.Node{node},
	})
	if err != nil {
		return err
	}
	ctx, stop := context.WithCancel(ctx)
	var running sync.WaitGroup
	running.Go(func() { s.Watch(ctx) })
	go func() {
		_, _ = io.Copy(io.Discard, in)
		stop()
	}()
	err = s.ServeUnix(ctx, filepath.Join(folder, "socket"))
	stop()
	running.Wait()
	return errors.Join(err, s.Close())
}

// readSeed reads the key that the users' keys are derived from. The first start makes it.
func readSeed(path string) (*signing.LocalKey, error) {
	raw, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		_, private, err := ed25519.GenerateKey(nil)
		if err != nil {
			return nil, err
		}
		raw = private.Seed()
		if err := os.WriteFile(path, raw, 0o600); err != nil {
			return nil, err
		}
	} else if err != nil {
		return nil, err
	}
	defer clear(raw)
	return signing.NewLocalKeyFromSeed(raw)
}
