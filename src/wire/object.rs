//! The traits of serde and of this crate for generated objects and unions.

/// Decoding of a type by one of the readers: `object` or `union`.
macro_rules! impl_decode {
    ($name:ty, $reader:ident) => {
        impl<'de> $crate::wire::read::Decode<'de> for $name {
            fn decode<D: serde_core::Deserializer<'de>>(
                deserializer: D,
                reading: &mut $crate::wire::Reading,
                value: &mut Self,
            ) -> Result<$crate::wire::read::Known, D::Error> {
                $crate::wire::read::$reader(deserializer, reading, value)
            }
        }

        impl<'de> serde_core::Deserialize<'de> for $name {
            fn deserialize<D: serde_core::Deserializer<'de>>(
                deserializer: D,
            ) -> Result<Self, D::Error> {
                $crate::wire::read::deserialize(deserializer)
            }
        }
    };
}

macro_rules! impl_object {
    ($name:ty) => {
        $crate::wire::object::impl_decode!($name, object);

        impl $crate::wire::write::WriteJson for $name {
            fn write_json(&self, out: &mut Vec<u8>) {
                $crate::wire::write::object(self, out);
            }
        }

        impl serde_core::Serialize for $name {
            fn serialize<S: serde_core::Serializer>(
                &self,
                serializer: S,
            ) -> Result<S::Ok, S::Error> {
                $crate::wire::write::serialize(self, serializer)
            }
        }

        impl $crate::decode::Wire for $name {}
    };
}

macro_rules! impl_union {
    ($name:ty) => {
        $crate::wire::object::impl_decode!($name, union);
    };
}

pub(crate) use {impl_decode, impl_object, impl_union};
