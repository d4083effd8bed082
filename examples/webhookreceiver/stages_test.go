package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"testing"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/webhooks"
)

// TestMain lets the test binary be the receiver's process, which stops for good
// at one stage of the first delivery that comes there: for a test that kills it
// there. RECEIVER_STAGE names the stage, "none" for a process that never
// stops.
func TestMain(m *testing.M) {
	if stage := os.Getenv("RECEIVER_STAGE"); stage != "" {
		fmt.Fprintln(os.Stderr, receiveStaged(stage, os.Getenv("RECEIVER_STORE")))
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// receiveStaged is receive with a stop between its parts.
func receiveStaged(stage, path string) error {
	store, err := openFileStore(path)
	if err != nil {
		return err
	}
	at := stops(stage)
	receiver, err := newReceiver(stagedStore{store, at}, walletfi.NewSecret(os.Getenv("WEBHOOK_SECRET")),
		at.handler(printer(os.Stdout)), deadLetters(path+".dead"))
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Println("listening on", listener.Addr())
	return serve(context.Background(), listener, at.around(receiver))
}

// stops is the stage at which the process stops.
type stops string

// reach says on standard output that the stage is reached, and stays there.
func (s stops) reach(stage string) {
	if string(s) == stage {
		fmt.Println("stopped")
		select {}
	}
}

func (s stops) handler(handle webhooks.Handler) webhooks.Handler {
	return func(ctx context.Context, d *webhooks.Delivery) error {
		s.reach("in the handler")
		return handle(ctx, d)
	}
}

func (s stops) around(receiver http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		s.reach("before verifying")
		req.Body = stagedBody{req.Body, s}
		receiver.ServeHTTP(stagedWriter{w, s}, req)
	})
}

type stagedBody struct {
	io.ReadCloser
	at stops
}

func (b stagedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p[:min(len(p), 10)])
	b.at.reach("while reading")
	return n, err
}

type stagedWriter struct {
	http.ResponseWriter
	at stops
}

func (w stagedWriter) WriteHeader(status int) {
	w.at.reach("before the answer")
	w.ResponseWriter.WriteHeader(status)
}

// stagedStore stops around the store, and in it: with half a line in the file.
type stagedStore struct {
	*fileStore
	at stops
}

func (s stagedStore) Seen(ctx context.Context, key string) (bool, error) {
	seen, err := s.fileStore.Seen(ctx, key)
	s.at.reach("before the handler")
	return seen, err
}

func (s stagedStore) Commit(ctx context.Context, key string, until time.Time) error {
	s.at.reach("between handler and commit")
	if s.at == "in the commit" {
		line, err := json.Marshal(fileRecord{key, until})
		if err != nil {
			return err
		}
		if _, err := s.file.Write(line[:len(line)/2]); err != nil {
			return err
		}
		s.at.reach("in the commit")
	}
	err := s.fileStore.Commit(ctx, key, until)
	s.at.reach("after the commit")
	return err
}
