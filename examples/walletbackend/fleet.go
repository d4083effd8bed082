package main

import (
	"fmt"

	"github.com/redis/go-redis/v9"

	"github.com/walletfi/walletfi-go/contrib/redislimit"
	"github.com/walletfi/walletfi-go/examples/walletbackend/internal/settings"
)

// fleet is the limits that several of these processes share, with the connection to
// Redis.
type fleet struct {
	*redislimit.Fleet
	client *redis.Client
}

// openFleet shares the limits of the services' keys with all processes that use the
// same Redis.
func openFleet(s *settings.Settings) (*fleet, error) {
	url, err := s.Secret(settings.RedisURL)
	if err != nil {
		return nil, err
	}
	options, err := redis.ParseURL(url.Reveal())
	if err != nil {
		return nil, fmt.Errorf("%s is not a URL such as redis://host:6379", settings.Variable(settings.RedisURL))
	}
	client := redis.NewClient(options)
	limits, err := redislimit.New(redislimit.Config{Client: client, Key: "walletbackend"})
	if err != nil {
		client.Close()
		return nil, err
	}
	return &fleet{limits, client}, nil
}

// Close gives up this process's slots and the connection.
func (f *fleet) Close() error {
	f.Fleet.Close()
	return f.client.Close()
}
