module github.com/empire-go/empire-go/integrations/golangci

go 1.26.0

replace github.com/empire-go/empire-go => ../..

require (
	github.com/empire-go/empire-go v0.0.0-00010101000000-000000000000
	github.com/golangci/plugin-module-register v0.1.2
	golang.org/x/tools v0.52.0
)

require (
	github.com/emicklei/dot v1.6.2 // indirect
	go.yaml.in/yaml/v3 v3.0.6 // indirect
	golang.org/x/mod v0.42.0 // indirect
	golang.org/x/sync v0.24.0 // indirect
)
