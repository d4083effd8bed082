package main

import (
	"os"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/predictmeta"
	"github.com/walletfi/walletfi-go/sandbox"
)

// service is the client, and its sandbox.
type service struct {
	client  *predictmeta.Client
	sandbox *sandbox.Sandbox // nil if the service is live
}

func openSandbox() (*service, error) {
	box, err := sandbox.Start(sandbox.Config{})
	if err != nil {
		return nil, err
	}
	client, err := predictmeta.New(predictmeta.Config{
		BaseURL: box.URL(sandbox.PredictMeta), WebSocketURL: box.PredictMeta().WSURL(),
		APIKey: walletfi.NewSecret(box.APIKey(sandbox.PredictMeta)),
	})
	if err != nil {
		box.Close()
		return nil, err
	}
	return &service{client, box}, nil
}

// openLive reads addresses and the key from the environment, because a list of
// processes shows flags.
func openLive() (*service, error) {
	client, err := predictmeta.New(predictmeta.Config{
		BaseURL: os.Getenv("MARKETS_URL"), WebSocketURL: os.Getenv("FEED_URL"),
		APIKey: walletfi.NewSecret(os.Getenv("MARKETS_KEY")),
	})
	if err != nil {
		return nil, err
	}
	return &service{client: client}, nil
}

// now returns the time of the service: that of the sandbox, or the local clock.
func (s *service) now() time.Time {
	if s.sandbox != nil {
		return s.sandbox.Now()
	}
	return time.Now()
}

func (s *service) close() {
	if s.sandbox != nil {
		s.sandbox.Close()
	}
}
