package transport

import (
	"github.com/walletfi/walletfi-go/deployment"
	"github.com/walletfi/walletfi-go/internal/dialect"
)

// deployed gives a client a deployment of its service.
func deployed(s deployment.Service) func(*Config) {
	return func(cfg *Config) {
		cfg.Service = "swap"
		cfg.Options.Deployment = of(s)
	}
}

func of(s deployment.Service) *deployment.Deployment {
	return &deployment.Deployment{Services: map[string]deployment.Service{"swap": s}}
}

// named is a deployment with other names of members.
func named(keys map[string]string) deployment.Service {
	return deployment.Service{Words: deployment.Words{Keys: keys}}
}

func compiled(s deployment.Service) (*dialect.Service, error) {
	return dialect.Compile(of(s), "swap", nil)
}
